package dev.rollcall.wire.grpc;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.agent.serve.FuzzedAgent;
import dev.rollcall.gateway.FuzzedGateway;
import dev.rollcall.gateway.FuzzedTlsGateway;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * An agent's socket and a gateway's port, with and without TLS, spoken to in frames of HTTP/2 that
 * may be wrong: see {@link FrameScript}. Others are answered meanwhile, nothing is thrown where
 * nobody hears of it, and when the connections have closed nothing is held for them.
 */
class Http2FramesFuzzTest {
  private static FuzzedAgent agent;
  private static FuzzedGateway gateway;
  private static FuzzedTlsGateway tlsGateway;
  private static FramesClient toAgent;
  private static FramesClient toGateway;
  private static FramesClient toTlsGateway;
  private static Unheard ofAgent;
  private static Unheard ofGateway;
  private static Unheard ofTlsGateway;

  @BeforeAll
  static void start() throws IOException {
    agent = new FuzzedAgent();
    gateway = new FuzzedGateway();
    tlsGateway = new FuzzedTlsGateway();
    toAgent = new FramesClient(agent.address(), agent::held);
    toGateway = new FramesClient(gateway.address(), gateway::held);
    toTlsGateway = new FramesClient(tlsGateway.address(), tlsGateway.gateway::held);
    ofAgent = new Unheard(agent.vertx);
    ofGateway = new Unheard(gateway.vertx);
    ofTlsGateway = new Unheard(tlsGateway.gateway.vertx);
  }

  @AfterAll
  static void stop() throws IOException {
    ofTlsGateway.close();
    ofGateway.close();
    ofAgent.close();
    toTlsGateway.close();
    toGateway.close();
    toAgent.close();
    tlsGateway.close();
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
    tlsGateway.gateway.anew();
    toTlsGateway.say(input);
    ofTlsGateway.check();
  }
}
