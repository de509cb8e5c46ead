package dev.rollcall.wire.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes TCP on to a port, until it swallows everything without closing anything. */
final class Relay implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean swallowing;

  Relay(int target) throws IOException {
    this.target = target;
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  void swallow() {
    swallowing = true;
  }

  private void accept() {
    try {
      while (true) {
        Socket in = server.accept();
        var out = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.addAll(List.of(in, out));
        Thread.startVirtualThread(() -> pass(in, out));
        Thread.startVirtualThread(() -> pass(out, in));
      }
    } catch (IOException e) {
      // Closed at the end of the test.
    }
  }

  private void pass(Socket from, Socket to) {
    var buffer = new byte[64 * 1024];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      int read = in.read(buffer);
      while (read >= 0) {
        if (!swallowing) {
          out.write(buffer, 0, read);
        }
        read = in.read(buffer);
      }
    } catch (IOException e) {
      // One of the two has gone.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
