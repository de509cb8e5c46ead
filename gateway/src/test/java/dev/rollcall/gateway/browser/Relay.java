package dev.rollcall.gateway.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a port of this machine that can be cut, and mended under the same number. */
public final class Relay implements AutoCloseable {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private final int to;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private ServerSocket listening;

  public Relay(int to) throws IOException {
    this.to = to;
    listening = new ServerSocket(0, 50, HERE);
    port = listening.getLocalPort();
    accept(listening);
  }

  public int port() {
    return port;
  }

  /** What is under way breaks off, and nothing new comes through. */
  public void cut() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  public void mend() throws IOException {
    listening = new ServerSocket();
    listening.setReuseAddress(true);
    listening.bind(new InetSocketAddress(HERE, port));
    accept(listening);
  }

  private void accept(ServerSocket on) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              Socket from = on.accept();
              Socket there = new Socket(HERE, to);
              open.add(from);
              open.add(there);
              carry(from, there);
              carry(there, from);
            }
          } catch (IOException e) {
            // It was cut.
          }
        });
  }

  private static void carry(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(() -> {
          try (from;
              to) {
            from.getInputStream().transferTo(to.getOutputStream());
          } catch (IOException e) {
            // An end has gone, or it was cut.
          }
        });
  }

  @Override
  public void close() throws IOException {
    cut();
  }
}
