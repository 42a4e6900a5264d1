// The data in the page: unpacked once, the rankings when somebody asks for them.

/**
 * Base64 to bytes to what was packed.
 * @param {string} text
 * @returns {Promise<Uint8Array>}
 */
async function unpacked(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} text */
async function unpackedJson(text) {
  return JSON.parse(new TextDecoder().decode(await unpacked(text)));
}

/**
 * Bytes that were grouped by their place, back in their order.
 * @param {Uint8Array} planes
 * @param {number} width
 */
function joined(planes, width) {
  const count = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < width; plane += 1) {
    const start = plane * count;
    for (let at = 0; at < count; at += 1) bytes[at * width + plane] = planes[start + at];
  }
  return bytes;
}

/**
 * Whole numbers of two or four bytes.
 * @param {Uint8Array} planes
 * @param {number} width
 */
function wholes(planes, width) {
  const bytes = joined(planes, width);
  const numbers = width === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
  return Int32Array.from(numbers);
}

class Evidence {
  /**
   * @param {Raw} raw
   * @param {Float64Array | Float32Array} numbers
   * @param {PackedPair[][]} pairs
   * @param {Map<string, Figure[]>} figures
   * @param {Figure[]} still
   */
  constructor(raw, numbers, pairs, figures, still) {
    this.raw = raw;
    this.numbers = numbers;
    this.pairs = pairs;
    this.figures = figures;
    this.still = still;
    /** @type {Promise<TopicLists[]> | null} */
    this.lists = null;
    /** @type {Promise<Map<string, string>> | null} */
    this.texts = null;
  }

  /** Reads what the page carries. */
  static async read() {
    const place = document.getElementById("evidence");
    if (!place) return null;
    /** @type {Raw} */
    const raw = JSON.parse(place.textContent ?? "");
    const [planes, pairs, figures, still] = await Promise.all([
      unpacked(raw.scores), unpackedJson(raw.pairs), unpackedJson(raw.figures), unpackedJson(raw.still),
    ]);
    const bytes = joined(planes, raw.score_bytes);
    const numbers = raw.score_bytes === 8 ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
    return new Evidence(raw, numbers, pairs, new Map(figures), still);
  }

  /**
   * Value (0), least (1) or greatest (2) of a run on a topic; NaN where there is none.
   * @param {number} part
   * @param {number} measure
   * @param {number} run
   * @param {number} topic
   */
  score(part, measure, run, topic) {
    const { measures, runs, topics } = this.raw;
    const at = ((part * measures.length + measure) * runs.length + run) * topics.length + topic;
    return this.numbers[at];
  }

  /**
   * What was found of two runs, turned so that the first is `a`; null where they were not compared.
   * @param {number} measure
   * @param {number} a
   * @param {number} b
   * @returns {Pair | null}
   */
  pair(measure, a, b) {
    for (const pair of this.pairs[measure] ?? []) {
      const rows = pair[8];
      if (pair[0] === a && pair[1] === b) {
        return [a, b, pair[2], pair[3], pair[4], pair[5], pair[6], pair[7], rows && { rows, turned: false }, pair[9], pair[10]];
      }
      if (pair[0] === b && pair[1] === a) {
        /** @param {Ends} ends @returns {Ends} */
        const turned = (ends) => (ends ? [-ends[1], -ends[0]] : null);
        return [
          a, b, 0 - pair[2], turned(pair[3]), turned(pair[4]), pair[5], pair[6] < 0 ? -1 : 1 - pair[6], pair[7],
          rows && { rows, turned: true }, pair[9], pair[10] && [pair[10][0], pair[10][1], pair[10][2], pair[10][3], 0 - pair[10][4]],
        ];
      }
    }
    return null;
  }

  /** The rankings of every topic. */
  rankings() {
    if (!this.lists) this.lists = this.readRankings();
    return this.lists;
  }

  /** @returns {Promise<TopicLists[]>} */
  async readRankings() {
    const { rankings, runs } = this.raw;
    const [documents, judged, lengths, places, ties] = await Promise.all([
      unpackedJson(rankings.documents), unpacked(rankings.judged), unpacked(rankings.lengths),
      unpacked(rankings.places), unpacked(rankings.ties),
    ]);
    const codes = wholes(judged, 2), sizes = wholes(lengths, 2), all = wholes(places, rankings.place_bytes);
    let code = 0, at = 0;
    return documents.map((/** @type {string[]} */ names, /** @type {number} */ topic) => {
      const known = codes.subarray(code, code + names.length);
      code += names.length;
      const lists = runs.map((_, run) => {
        const size = sizes[topic * runs.length + run];
        if (size === 0) return null;
        const from = at;
        at += size - 1;
        return { documents: all.subarray(from, at), tied: ties.subarray(from, at) };
      });
      return { documents: names, judged: known, lists };
    });
  }

  /** Documents' texts by name. */
  documentTexts() {
    if (!this.texts) {
      const { texts } = this.raw;
      this.texts = texts === null ? Promise.resolve(new Map()) : unpackedJson(texts).then((all) => new Map(all));
    }
    return this.texts;
  }

  /**
   * The grade of a code; null where it was not judged.
   * @param {number} code
   */
  grade(code) {
    return code < 2 ? null : this.raw.grades[code - 2];
  }
}
