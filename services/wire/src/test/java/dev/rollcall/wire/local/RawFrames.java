package dev.rollcall.wire.local;

import com.google.protobuf.MessageLite;
import dev.rollcall.proto.localsocket.v1.CallReply;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A client that sends the bytes of a test to a local socket. */
final class RawFrames implements AutoCloseable {
  private final SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX);

  RawFrames(Path socket) throws IOException {
    connection.connect(UnixDomainSocketAddress.of(socket));
  }

  RawFrames send(MessageLite message) throws IOException {
    return send(LocalFrame.of(message));
  }

  RawFrames send(byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      connection.write(left);
    }
    return this;
  }

  RawFrames halfClose() throws IOException {
    connection.shutdownOutput();
    return this;
  }

  /** The bytes of the next frame, with its length. */
  byte[] frame() throws IOException {
    ByteBuffer prefix = read(Integer.BYTES);
    ByteBuffer message = read(prefix.getInt(0));
    return ByteBuffer.allocate(prefix.capacity() + message.capacity())
        .put(prefix)
        .put(message)
        .array();
  }

  CallReply reply() throws IOException {
    byte[] frame = frame();
    return CallReply.parser().parseFrom(frame, Integer.BYTES, frame.length - Integer.BYTES);
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (connection.read(bytes) < 0) {
        throw new IOException("closed");
      }
    }
    return bytes.flip();
  }

  /** Whether the server has closed the connection; waits until it says something. */
  boolean isClosed() throws IOException {
    try {
      return connection.read(ByteBuffer.allocate(1)) < 0;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
