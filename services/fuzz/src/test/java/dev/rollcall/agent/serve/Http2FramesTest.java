package dev.rollcall.agent.serve;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link Http2FramesFuzzTest} against an agent with the shipped one's memory. */
class Http2FramesTest {
  private static final Duration TIME =
      "full".equals(System.getProperty("rollcall.counts"))
          ? Duration.ofMinutes(10)
          : Duration.ofSeconds(10);
  private static final int LONGEST = 300;
  private static final int CHANGES = 8;

  @Test
  void anAgentOfItsMemoryOutlivesRandomFrames() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed of the frames: " + seed);
    var random = new Random(seed);
    List<byte[]> kept = kept();
    long end = System.nanoTime() + TIME.toNanos();
    int said = 0;
    try (var agent = SmallAgent.start();
        var client = new FramesClient(agent.socket, agent::held)) {
      client.say(new byte[0]); // the first takes the longest
      while (said < kept.size() || System.nanoTime() < end) {
        byte[] input = said < kept.size() ? kept.get(said) : next(random, kept);
        said++;
        agent.anew();
        try {
          client.say(input);
        } catch (Throwable e) {
          throw new AssertionError(
              "input %d of seed %d, alive: %s".formatted(said, seed, agent.isAlive()), e);
        }
      }
      assertTrue(agent.isAlive(), said + " inputs");
    }
  }

  /** By turns at random, and one that is kept with some bytes changed. */
  private static byte[] next(Random random, List<byte[]> kept) {
    if (random.nextBoolean()) {
      byte[] input = new byte[1 + random.nextInt(LONGEST)];
      random.nextBytes(input);
      return input;
    }
    byte[] input = kept.get(random.nextInt(kept.size())).clone();
    for (int left = 1 + random.nextInt(CHANGES); left > 0; left--) {
      input[random.nextInt(input.length)] = (byte) random.nextInt();
    }
    return input;
  }

  private static List<byte[]> kept() throws IOException, URISyntaxException {
    Path inputs =
        Path.of(
            requireNonNull(Http2FramesTest.class.getResource("Http2FramesFuzzTestInputs/fuzz"))
                .toURI());
    var kept = new ArrayList<byte[]>();
    try (var files = Files.list(inputs)) {
      for (Path file : files.sorted().toList()) {
        kept.add(Files.readAllBytes(file));
      }
    }
    return kept;
  }
}
