package dev.rollcall.agent.login.socket;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.loginsocket.v1.LoginReply;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Speaks to a login socket as the module does, over a real socket. */
public final class ModuleRequest implements AutoCloseable {
  private final SocketChannel channel;

  public ModuleRequest(Path loginSocket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(loginSocket));
  }

  /** The account phase of a login. */
  public static LoginRequest.Builder login(int uid, Connection call) {
    return LoginRequest.newBuilder()
        .setVersion(1)
        .setPhase(Phase.PHASE_ACCOUNT)
        .setService("sshd")
        .setUser("somebody")
        .setUid(uid)
        .setLocalAddress(ByteString.copyFrom(call.remote().address().getAddress()))
        .setLocalPort(call.remote().port())
        .setRemoteAddress(ByteString.copyFrom(call.local().address().getAddress()))
        .setRemotePort(call.local().port())
        .setPatienceMs(10_000);
  }

  public static LoginReply ask(Path loginSocket, LoginRequest.Builder request) {
    try (var knock = new ModuleRequest(loginSocket)) {
      knock.send(frame(request.build().toByteArray()));
      return knock.reply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(4 + message.length).putInt(message.length).put(message).array();
  }

  public void send(byte[] bytes) throws IOException {
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  public void shutDownOutput() throws IOException {
    channel.shutdownOutput();
  }

  /** All bytes until the login socket closes. */
  public byte[] untilClosed() throws IOException {
    var buffer = ByteBuffer.allocate(8_192);
    try {
      while (channel.read(buffer) >= 0) {
        // until the end
      }
    } catch (IOException reset) {
      // ECONNRESET: closed with bytes of ours unread.
    }
    return java.util.Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** One frame, after which the login socket closes. */
  public LoginReply reply() throws IOException {
    byte[] bytes = untilClosed();
    try {
      int length = ByteBuffer.wrap(bytes).getInt();
      if (length != bytes.length - 4) {
        throw new AssertionError("a frame of " + length + " bytes in " + bytes.length);
      }
      return LoginReply.parseFrom(ByteString.copyFrom(bytes, 4, length));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
