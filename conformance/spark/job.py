"""A command on a standalone cluster that this starts and ends: a master and two workers with a core each.

    job.py eval|compare FOLDER MEASURES [--kill]

Prints the answer, the seconds of the call and what became of the workers as JSON. With --kill one worker and its executor are killed when
some tasks of the last stage are done.
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
PORT = 17_077
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dspark.ui.enabled=false -Dspark.master.rest.enabled=false"
LAST = "collect at"


class Cluster:
    """Spark's own processes, ended with the block."""

    def __enter__(self):
        work = pathlib.Path(os.environ["KARAT_SPARK_WORK"])
        work.mkdir(parents=True, exist_ok=True)
        self.log = open(work / "cluster.log", "w")
        self.master = self.start("master.Master", "--port", PORT)
        self.wait()
        place = ["--cores", 1, "--memory", "2g"]
        self.workers = [self.start("worker.Worker", *place, "--work-dir", work / str(n), self.url) for n in (1, 2)]
        return self

    def start(self, what, *arguments):
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{what}", "--host", "127.0.0.1", "--webui-port", 0]
        surroundings = {**os.environ, "SPARK_DAEMON_JAVA_OPTS": JAVA, "SPARK_HOME": str(HOME)}
        # A group of its own, so that executors go with their worker.
        return subprocess.Popen([str(part) for part in [*command, *arguments]], env=surroundings, stdout=self.log,
                                stderr=self.log, start_new_session=True)

    def wait(self):
        """Until the master listens."""
        for _ in range(600):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", PORT)) == 0:
                    return
            if self.master.poll() is not None:
                break
            time.sleep(0.2)
        sys.exit(f"job: the master does not listen on port {PORT}; see {self.log.name}")

    @property
    def url(self):
        return f"spark://127.0.0.1:{PORT}"

    def kill(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        process.wait()

    def __exit__(self, *_):
        for process in [*self.workers, self.master]:
            self.kill(process)
        self.log.close()


def session(url):
    os.environ["PYSPARK_SUBMIT_ARGS"] = '--driver-memory 2g --driver-java-options "-XX:+UseSerialGC" pyspark-shell'
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "1536m",
        "spark.executor.cores": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    builder = pyspark.sql.SparkSession.builder.master(url).appName("karat")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def kill_in_the_middle(spark, cluster, told):
    """Waits until tasks of the last stage are done, and kills a worker."""
    tracker = spark.sparkContext.statusTracker()
    while not told:
        for stage in tracker.getActiveStageIds():
            found = tracker.getStageInfo(stage)
            if found and LAST in found.name and found.numCompletedTasks * 3 >= found.numTasks:
                cluster.kill(cluster.workers[0])
                told.append(f"a worker was killed after {found.numCompletedTasks} of {found.numTasks} tasks of the last stage")
                return
        time.sleep(0.05)


def main():
    command, folder, measures = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    import karat.spark

    with Cluster() as cluster:
        spark = session(cluster.url)
        # Both workers are there before the clock starts.
        while len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) < 3:
            time.sleep(0.2)
        told = []
        if "--kill" in sys.argv:
            threading.Thread(target=kill_in_the_middle, args=(spark, cluster, told), daemon=True).start()
        start = time.monotonic()
        runs = {name: spark.read.parquet(str(folder / name)) for name in ("lexical", "dense")}
        qrels = spark.read.parquet(str(folder / "qrels.parquet"))
        if command == "eval":
            answer = karat.spark.evaluate(runs, qrels, measures)
        else:
            answer = karat.spark.compare(runs, qrels, measures)
        seconds = time.monotonic() - start
        if "--kill" in sys.argv and not told:
            sys.exit("job: the work was done before a worker could be killed; take more rows")
        executors = len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1
        told.append(f"{executors} executor{'s' if executors != 1 else ''} at the end")
        print(json.dumps({"answer": answer.to_dict(), "seconds": seconds, "said": "; ".join(told)}))
        spark.stop()


if __name__ == "__main__":
    main()
