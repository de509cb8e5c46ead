package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Eventually;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepLineTest {
  private final StringWriter said = new StringWriter();
  private final PrintWriter err = new PrintWriter(said);

  @Test
  void isALineForEachStepWithoutATerminal() {
    try (var steps = new StepLine(err, new DemoTerminal(false, false))) {
      steps.show("creating 6 nodes");
      steps.show("starting gateway 1 of 2");
    }
    assertEquals(
        List.of("rollcall: creating 6 nodes", "rollcall: starting gateway 1 of 2"),
        said.toString().lines().toList());
  }

  @Test
  void isWrittenAgainEachSecondOnATerminalAndErased() {
    try (var steps = new StepLine(err, new DemoTerminal(true, false))) {
      steps.show("playing scene 1/27, a-scene");
      Eventually.await(
          Duration.ofSeconds(30), () -> said.toString().contains(", 1 s"), said::toString);
    }
    String text = said.toString();
    assertTrue(
        text.startsWith("\r\u001b[K\u001b[?7lrollcall: playing scene 1/27, a-scene, 0 s"), text);
    assertTrue(text.endsWith("\r\u001b[K"), text);
    assertEquals(0, text.chars().filter(each -> each == '\n').count());
  }
}
