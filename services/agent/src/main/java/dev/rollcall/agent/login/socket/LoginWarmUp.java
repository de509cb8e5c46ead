package dev.rollcall.agent.login.socket;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;

/**
 * Sends requests to the own login socket until the code is compiled: the first answer of a cold JVM
 * takes 100 ms and more, a later one less than a millisecond.
 */
final class LoginWarmUp {
  /** Of TEST-NET-1, RFC 5737: no node has it. */
  private static final String DOCUMENTATION_HOST = "192.0.2.1";

  private static final ByteString DOCUMENTATION_ADDRESS =
      ByteString.copyFrom(new byte[] {(byte) 192, 0, 2, 1});

  /** RFC 6335. */
  private static final int FIRST_EPHEMERAL_PORT = 49_152;

  private final SocketAddress address;
  private final NetClient client;
  private final Buffer request;

  LoginWarmUp(Vertx vertx, Path socket) {
    this.address = SocketAddress.domainSocketAddress(socket.toString());
    this.client = vertx.createNetClient();
    byte[] message =
        LoginRequest.newBuilder()
            .setVersion(1)
            .setPhase(Phase.PHASE_WARM_UP)
            .setService("sshd")
            .setUser("nobody")
            .setUid(RequestReader.UID_OF_NOBODY)
            .setRemoteHost(DOCUMENTATION_HOST)
            .setLocalAddress(DOCUMENTATION_ADDRESS)
            .setLocalPort(22)
            .setRemoteAddress(DOCUMENTATION_ADDRESS)
            .setRemotePort(FIRST_EPHEMERAL_PORT)
            .setOptions(Options.getDefaultInstance())
            .setPatienceMs(1_000)
            .build()
            .toByteArray();
    this.request = Frame.of(message);
  }

  /** Completes after so many answers, one after the other. */
  Future<Void> rounds(int rounds) {
    Promise<Void> all = Promise.promise();
    round(rounds, all);
    return all.future().eventually(client::close);
  }

  /**
   * One promise for all rounds: a future of a future for each of them would complete from inside
   * out, on a stack that the agent's small threads do not have.
   */
  private void round(int left, Promise<Void> all) {
    if (left == 0) {
      all.complete();
    } else {
      ask().onSuccess(_ -> round(left - 1, all)).onFailure(all::fail);
    }
  }

  private Future<Void> ask() {
    return client
        .connect(address)
        .compose(socket -> {
          Promise<Void> answered = Promise.promise();
          Buffer reply = Buffer.buffer();
          socket.handler(reply::appendBuffer);
          socket.closeHandler(_ -> {
            if (reply.length() > 0) {
              answered.tryComplete();
            } else {
              answered.tryFail("the login socket " + address.path() + " does not answer");
            }
          });
          return socket.write(request).compose(_ -> answered.future());
        });
  }
}
