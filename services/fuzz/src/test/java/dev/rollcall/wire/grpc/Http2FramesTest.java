package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.serve.FuzzedAgent;
import dev.rollcall.gateway.FuzzedGateway;
import dev.rollcall.gateway.FuzzedTlsGateway;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link Http2FramesFuzzTest} against servers that have little memory. */
class Http2FramesTest {
  private static final Duration TIME =
      Counts.areFull() ? Duration.ofMinutes(10) : Duration.ofSeconds(1);
  private static final int LONGEST = 300;
  private static final int CHANGES = 8;

  /** As the launcher starts it. */
  @Test
  void anAgentOfItsMemoryOutlivesRandomFrames() throws Exception {
    outlives(
        FuzzedAgent.class, "-Xms6m", "-Xmx48m", "-Xss256k", "-Dio.netty.allocator.type=unpooled");
  }

  /** An eighth of the shipped one's: the bounds are fractions of it. */
  @Test
  void aGatewayOfLittleMemoryOutlivesRandomFrames() throws Exception {
    outlives(FuzzedGateway.class, "-Xmx64m");
  }

  /** The same over TLS, with a certificate of its authority. */
  @Test
  void aGatewayOfLittleMemoryOutlivesRandomFramesOverTls() throws Exception {
    outlives(FuzzedTlsGateway.class, "-Xmx64m");
  }

  private static void outlives(Class<?> server, String... flags) throws Exception {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    List<byte[]> kept = kept();
    long end = System.nanoTime() + TIME.toNanos();
    int said = 0;
    try (var jvm = SmallJvm.start(server, flags);
        var client = new FramesClient(jvm.address, jvm::held)) {
      client.say(new byte[0]); // the first takes the longest
      while (said < kept.size() || System.nanoTime() < end) {
        byte[] input = said < kept.size() ? kept.get(said) : next(random, kept);
        said++;
        jvm.anew();
        try {
          client.say(input);
        } catch (Throwable e) {
          throw new AssertionError(
              "input %d of seed %d, alive: %s".formatted(said, seed, jvm.isAlive()), e);
        }
      }
      assertTrue(jvm.isAlive(), said + " inputs");
    }
    System.out.printf("%s outlived %d inputs of seed %d%n", server.getSimpleName(), said, seed);
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
