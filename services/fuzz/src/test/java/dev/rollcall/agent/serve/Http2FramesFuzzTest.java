package dev.rollcall.agent.serve;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.wire.grpc.Unheard;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * An agent's socket, spoken to in frames of HTTP/2 that may be wrong: see {@link FrameScript}.
 * Others are answered meanwhile, nothing is thrown where nobody hears of it, and when the
 * connections have closed nothing is held for them.
 */
class Http2FramesFuzzTest {
  private static FuzzedAgent agent;
  private static FramesClient client;
  private static Unheard unheard;

  @BeforeAll
  static void start() throws IOException {
    agent = new FuzzedAgent();
    client = new FramesClient(agent.socket, agent.memory::held);
    unheard = new Unheard(agent.vertx);
  }

  @AfterAll
  static void stop() throws IOException {
    unheard.close();
    client.close();
    agent.close();
  }

  @FuzzTest
  void fuzz(byte[] input) {
    agent.anew();
    client.say(input);
    unheard.check();
  }
}
