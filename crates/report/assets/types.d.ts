/* The shapes of the data that the page carries, for the type checker; no part of the page. */

interface Axis { label: string; low: number; high: number; ticks: [number, string][]; grid: boolean }

type Point = [number, number];

type Mark =
  | { kind: "line"; series: number; label: string; name: string; dash: number; points: Point[] }
  | { kind: "band"; series: number; label: string; points: [number, number, number][] }
  | { kind: "point"; series: number; label: string; name: string; shape: Shape; size: number; at: Point }
  | { kind: "bar"; series: number; label: string; name: string; shade: number; x: Point; y: Point }
  | { kind: "span"; series: number; label: string; name: string; weight: number; cap: number; from: Point; to: Point }
  | { kind: "words"; at: Point; text: string; anchor: "start" | "middle" | "end"; shift: Point; on_colour: boolean };

type Shape = "disc" | "square" | "triangle" | "diamond" | "cross" | "ring";

interface Panel {
  title: string; x: Axis | null; y: Axis | null; right: Axis | null; width: number; height: number; marks: Mark[];
}

interface FigureTable { title: string; headings: string[]; rows: string[][] }

interface Figure {
  id: string; title: string; subtitle: string; reading: string; columns: number; panels: Panel[];
  empty: string | null; table: FigureTable | null;
}

interface Frame { left: number; top: number; width: number; height: number }

type Swatch =
  | { kind: "line"; series: number; dash: number }
  | { kind: "area"; series: number }
  | { kind: "point"; series: number; shape: Shape }
  | { kind: "bar"; series: number; shade: number }
  | { kind: "span"; series: number; weight: number; cap: number };

interface Entry { swatch: Swatch; label: string; at: Point }

type Ends = [number, number] | null;

/** value, bounds, interval, topics, letters */
type Standing = [number | null, Ends, Ends, number, string];

/** topic, difference, least, greatest */
type TopicRow = [number, number, number | null, number | null];

/** Of a judged sample: labels, documents drawn, variance from topics and from the sample, the difference as judged without it */
type PairSample = [number, number, number, number, number];

/** first run, second run, difference, interval, bounds, p, winner (0 first, 1 second, -1 neither), why, topics, basis, sample */
type PackedPair = [
  number, number, number, Ends, Ends, number | null, number, string, TopicRow[] | null, string | null, PairSample | null,
];

/** The same, turned or not. */
type Pair = [
  number, number, number, Ends, Ends, number | null, number, string, { rows: TopicRow[]; turned: boolean } | null,
  string | null, PairSample | null,
];

/** What stands in the page. */
interface Raw {
  measures: string[]; runs: string[]; topics: string[]; queries: (string | null)[] | null;
  first: number; pair: [number, number]; level: number; relevance_level: number; greatest_gain: number; depth: number;
  missing_is_zero: boolean; quantiles: (number | null)[]; normal_quantile: number; grades: number[]; standings: Standing[][];
  score_bytes: number; scores: string; pairs: string; figures: string; still: string;
  rankings: { documents: string; judged: string; lengths: string; place_bytes: number; places: string; ties: string };
  texts: string | null;
}

/** A list: places of documents, best first, and which are tied with the one above; null where the run has no row. */
interface List { documents: Int32Array; tied: Uint8Array }

interface TopicLists { documents: string[]; judged: Int32Array; lists: (List | null)[] }

interface State {
  measure: number; runs: boolean[]; a: number; b: number;
}
