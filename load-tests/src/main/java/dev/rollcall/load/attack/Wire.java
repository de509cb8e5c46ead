package dev.rollcall.load.attack;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** The two directions of a connection, whatever it is made of. */
record Wire(InputStream in, OutputStream out, Closeable connection) implements Closeable {
  static Wire of(Socket socket) throws IOException {
    return new Wire(socket.getInputStream(), socket.getOutputStream(), socket);
  }

  static Wire of(SocketChannel channel) {
    return new Wire(Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
