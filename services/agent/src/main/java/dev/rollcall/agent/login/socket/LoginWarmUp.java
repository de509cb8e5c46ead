package dev.rollcall.agent.login.socket;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Options;
import dev.rollcall.proto.loginsocket.v1.Phase;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
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

  private LoginWarmUp() {}

  /** Returns after so many answers, one after the other. */
  static void run(Path socket, int rounds) throws IOException {
    byte[] request =
        Frame.of(
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
                    .toByteArray())
            .getBytes();
    for (int i = 0; i < rounds; i++) {
      try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        channel.write(ByteBuffer.wrap(request));
        if (Channels.newInputStream(channel).readAllBytes().length == 0) {
          throw new IOException("the login socket " + socket + " does not answer");
        }
      }
    }
  }
}
