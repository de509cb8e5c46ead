package dev.rollcall.wire.grpc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.agent.serve.FuzzedAgent;
import dev.rollcall.gateway.FuzzedGateway;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * An agent's socket and a gateway's port, spoken to in frames of HTTP/2 that may be wrong: see
 * {@link FrameScript}. Others are answered meanwhile, nothing is thrown where nobody hears of it,
 * and when the connections have closed nothing is held for them.
 */
class Http2FramesFuzzTest {
  private static FuzzedAgent agent;
  private static FuzzedGateway gateway;
  private static FramesClient toAgent;
  private static FramesClient toGateway;
  private static Unheard ofAgent;
  private static Unheard ofGateway;

  @BeforeAll
  static void start() throws IOException {
    agent = new FuzzedAgent();
    gateway = new FuzzedGateway();
    toAgent = new FramesClient(agent.address(), agent::held);
    toGateway = new FramesClient(gateway.address(), gateway::held);
    ofAgent = new Unheard(agent.vertx);
    ofGateway = new Unheard(gateway.vertx);
  }

  @AfterAll
  static void stop() throws IOException {
    ofGateway.close();
    ofAgent.close();
    toGateway.close();
    toAgent.close();
    gateway.close();
    agent.close();
  }

  @FuzzTest
  void fuzz(byte[] input) {
    agent.anew();
    toAgent.say(input);
    ofAgent.check();
    gateway.anew();
    toGateway.say(input);
    ofGateway.check();
  }
}
