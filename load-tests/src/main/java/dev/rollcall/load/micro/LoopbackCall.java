package dev.rollcall.load.micro;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A call of this process to itself, over the loopback. */
record LoopbackCall(ServerSocket server, Socket caller) implements AutoCloseable {
  static LoopbackCall open() throws IOException {
    var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try {
      return new LoopbackCall(server, new Socket(server.getInetAddress(), server.getLocalPort()));
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** As the caller sees it. */
  Connection connection() {
    return Connection.tcp(
        new Endpoint(caller.getLocalAddress(), caller.getLocalPort()),
        new Endpoint(caller.getInetAddress(), caller.getPort()));
  }

  @Override
  public void close() throws IOException {
    caller.close();
    server.close();
  }
}
