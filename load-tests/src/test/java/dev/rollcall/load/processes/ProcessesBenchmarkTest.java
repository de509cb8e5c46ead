package dev.rollcall.load.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesBenchmarkTest {
  @Test
  void eachLookupIsMeasuredAndFindsWhatItShould() {
    List<BenchCase> cases =
        new ProcessesBenchmark()
            .run(new Bench(true, Path.of("."), Path.of("."), 1, List.of(), _ -> {}));
    assertEquals(
        List.of(
            "20 nodes, heap of a process",
            "20 nodes, one process",
            "20 nodes, one that no job has",
            "20 nodes, 1,000 processes in a request"),
        cases.stream().map(BenchCase::name).toList());
    cases.forEach(one -> assertTrue(Double.isFinite(one.ours().value()), one.toString()));
  }
}
