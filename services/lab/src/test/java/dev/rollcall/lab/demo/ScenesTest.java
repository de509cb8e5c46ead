package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.Topology;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenesTest {
  @Test
  void keepTheNamesThatScriptsLookFor() {
    assertEquals(
        List.of(
            "two-jobs-caller",
            "two-jobs-caller-ipv6",
            "one-job-from-login",
            "two-jobs-from-login-newest",
            "jobs-from-login",
            "ssh-job-from-login",
            "job-host-from-login",
            "no-job-refused",
            "third-hop-keeps-job",
            "source-drops-incoming",
            "source-stream-cut-one-job",
            "source-stream-cut-two-jobs",
            "gateway-down-one-job",
            "gateway-down-two-jobs",
            "background-outlives-session-dies-with-job",
            "stray-ignoring-sigterm",
            "suspended-job-refuses",
            "forger",
            "whois-unannounced-port",
            "restart-keeps-sessions",
            "agent-killed-one-job",
            "agent-killed-two-jobs",
            "agent-restarted-under-logins",
            "daemonised-stays-accounted",
            "end-signals-and-waits",
            "container-private-to-job",
            "container-shared-by-step-and-session",
            "container-gone-with-job",
            "container-survives-agent"),
        Scenes.all().stream().map(Scene::name).toList());
  }

  @Test
  void thoseOfSeveralGatewaysNeedSeveral() {
    assertEquals(List.of(), Scenes.withGateways(1));
    assertEquals(
        List.of("one-gateway-killed"), Scenes.withGateways(2).stream().map(Scene::name).toList());
  }

  @Test
  void thoseOfASiteKeepTheirNames() {
    assertEquals(List.of(), Scenes.withTopology(Topology.FLAT));
    assertEquals(
        List.of(
            "caller-pushed-across-racks", "two-jobs-caller-second-network", "one-job-from-campus"),
        Scenes.withTopology(Topology.SITE).stream().map(Scene::name).toList());
  }

  @Test
  void thatOfAnImageKeepsItsName() {
    assertEquals(
        List.of("gateway-from-image"),
        Scenes.withImage(Path.of("nowhere")).stream().map(Scene::name).toList());
  }

  @Test
  void arePlayedAgainForAWhileIfALoginIsToldTo() {
    Outcome in = Outcome.compare("job 1", "job 1", 5);
    Outcome late = Outcome.compare("job 1", "this node's agent cannot decide now, try again", 5);
    Outcome wrong = Outcome.compare("job 1", "job 2", 5);

    Outcome third = Scene.again(List.of(late, late, in).iterator()::next);
    assertEquals("job 1 (after 2 asked to try again)", third.seen());
    assertTrue(third.ok());
    assertFalse(Scene.again(List.of(late, late, late, in).iterator()::next).ok());
    assertEquals(wrong, Scene.again(List.of(wrong, in).iterator()::next));
  }

  @Test
  void beginWithTheResultAndTheNameAndAreNumbered() {
    var plain = new DemoTerminal(false, false);
    assertEquals(
        "DIFFERS a-scene (3/27, 5 ms)\n        does\n        expected: job 1\n        seen: job 2",
        Playbill.text("3/27", "a-scene", "does", Outcome.compare("job 1", "job 2", 5), plain));
    assertEquals(
        "ok      a-scene (4/27, 5 ms)\n        does\n        seen as expected: job 1",
        Playbill.text("4/27", "a-scene", "does", Outcome.compare("job 1", "job 1", 5), plain));
  }

  @Test
  void areColouredOnlyWhereTheTerminalHasColours() {
    Outcome in = Outcome.compare("job 1", "job 1", 5);
    Outcome out = Outcome.compare("job 1", "job 2", 5);
    var colours = new DemoTerminal(true, true);
    assertTrue(Playbill.text("1/1", "a", "b", in, colours).startsWith("\u001b[32mok\u001b[0m "));
    assertTrue(Playbill.text("1/1", "a", "b", out, colours).startsWith("\u001b[31mDIFFERS\u001b"));
  }

  @Test
  void areFoldedAt120Columns() {
    String words = "word ".repeat(60) + "x".repeat(300) + " end";
    Outcome both = Outcome.compare(words, words, 5);
    String text = Playbill.text("1/1", "a", words, both, new DemoTerminal(false, false));
    List<String> broad = text.lines().filter(line -> line.length() > 120).toList();
    assertEquals(2, broad.size(), "only words that are longer: " + broad);
  }

  @Test
  void ofANodeKeepTheirNames() {
    assertEquals(
        List.of(
            "vm-session-in-job",
            "vm-no-job-refused",
            "vm-memory-max",
            "vm-cpu-max",
            "vm-pids-max",
            "vm-cpuset",
            "vm-limits-changed",
            "vm-device",
            "vm-suspend-resume",
            "vm-end-kills",
            "vm-logind-session",
            "vm-two-factors",
            "vm-outside-reported",
            "vm-outside-adopted",
            "vm-outside-denied",
            "vm-daemon-reload",
            "vm-agent-restarts",
            "vm-agent-killed",
            "vm-agent-deaf",
            "vm-container",
            "vm-slurm",
            "vm-slurm-agent-killed",
            "vm-slurm-two-jobs"),
        NodeScenes.all().stream().map(NodeScene::name).toList());
  }
}
