package dev.rollcall.load.attack;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;

/**
 * The two directions of a connection, whatever it is made of.
 *
 * @param shut ends the direction to the server
 * @param abort closes it by a reset, where there is such a thing
 * @param rekey changes the keys of TLS, where there are any
 */
record Wire(
    InputStream in,
    OutputStream out,
    Closeable connection,
    Closeable shut,
    Closeable abort,
    Closeable rekey)
    implements Closeable {
  static Wire of(Socket socket) throws IOException {
    return of(socket, socket.getInputStream(), socket.getOutputStream(), () -> {});
  }

  static Wire of(Socket socket, SSLSocket secure) throws IOException {
    // After the first handshake another one is a KeyUpdate that asks for the other side's.
    return of(socket, secure.getInputStream(), secure.getOutputStream(), secure::startHandshake);
  }

  private static Wire of(Socket socket, InputStream in, OutputStream out, Closeable rekey) {
    Closeable abort =
        () -> {
          socket.setSoLinger(true, 0);
          socket.close();
        };
    return new Wire(in, out, socket, socket::shutdownOutput, abort, rekey);
  }

  static Wire of(SocketChannel channel) {
    return new Wire(
        Channels.newInputStream(channel),
        Channels.newOutputStream(channel),
        channel,
        channel::shutdownOutput,
        channel,
        () -> {});
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
