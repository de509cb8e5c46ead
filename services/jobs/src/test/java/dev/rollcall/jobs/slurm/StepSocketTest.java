package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepSocketTest {
  @ParameterizedTest
  @CsvSource({
    "node1_1.4294967292, node1 1.extern",
    "node1_1.4294967291, node1 1.batch",
    "node1_42.4294967290, node1 42.interactive",
    "node1_42.0, node1 42.0",
    "node1_42.17, node1 42.17",
    "node1_42.3.1, node1 42.3",
    "gpu_a_07_42.4294967292.0, gpu_a_07 42.extern",
    "n.cluster.example_4294967295.0, n.cluster.example 4294967295.0",
    "node1_42.4294967293, none",
    "node1_0.0, none",
    "node1_4294967296.0, none",
    "hwloc_topo_1.4294967291.xml, none",
    "cred_state.old, none",
    "job00001, none",
    "_1.0, none",
  })
  void tellsNodeAndStepFromItsName(String file, String expected) {
    assertEquals(
        expected,
        StepSocket.parse(file).map(name -> name.node() + " " + name.step()).orElse("none"));
  }
}
