"""Two runs and judgements as Parquet, as a search team's logs would have them: rows of a list in no order, scores with ties, one topic with very many
rows, topics that one run lacks or nobody judged. Made from a formula with a seed: nothing here is anybody's data.

    generate.py FOLDER ROWS
"""
import pathlib
import sys

import numpy
import pyarrow
import pyarrow.parquet

DEPTH, DOCUMENTS, TOPICS_A_FILE, SKEW = 1000, 1_000_003, 500, 100


def documents(topic, run, count):
    """Different documents: multiples of a number, modulo a prime, in an order that looks like none."""
    step = 1 + (topic * 7919 + run * 104_729) % (DOCUMENTS - 1)
    # The first tenth is what both runs find.
    own = (numpy.arange(count, dtype=numpy.int64) * step + topic) % DOCUMENTS
    shared = (numpy.arange(count // 10, dtype=numpy.int64) * 31 + topic * 17) % DOCUMENTS
    both = numpy.concatenate([shared, own])
    _, first = numpy.unique(both, return_index=True)
    return both[numpy.sort(first)][:count]


def write(path, **columns):
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def main():
    folder, rows = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    topics = max(rows // (2 * DEPTH), 2)
    for run, name in enumerate(("lexical", "dense")):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for start in range(0, topics, TOPICS_A_FILE):
            draw = numpy.random.default_rng((run, start))
            here = [topic for topic in range(start, min(start + TOPICS_A_FILE, topics)) if not (run and topic % 1000 == 3)]
            lists = [documents(topic, run, DEPTH * (SKEW if topic == 0 else 1)) for topic in here]
            lengths = [len(one) for one in lists]
            names = pyarrow.array([f"q{topic}" for topic in here])
            places = pyarrow.array(numpy.repeat(numpy.arange(len(here), dtype=numpy.int32), lengths))
            write(
                folder / name / f"part-{start:07d}.parquet",
                query_id=pyarrow.DictionaryArray.from_arrays(places, names).cast(pyarrow.string()),
                doc_id=pyarrow.array(numpy.concatenate(lists)).cast(pyarrow.string()),
                score=numpy.floor(draw.random(sum(lengths)) * 4000) / 8,
            )
    judged = [topic for topic in range(topics) if topic % 1000 != 7]
    lists = [documents(topic, topic % 2, 200)[::10] for topic in judged]
    draw = numpy.random.default_rng(9)
    count = sum(map(len, lists))
    write(
        folder / "qrels.parquet",
        query_id=pyarrow.array(numpy.repeat([f"q{topic}" for topic in judged], [len(one) for one in lists])),
        doc_id=pyarrow.array(numpy.concatenate(lists)).cast(pyarrow.string()),
        grade=draw.choice([-1, 0, 0, 0, 1, 2, 3], count).astype(numpy.int32),
    )


if __name__ == "__main__":
    main()
