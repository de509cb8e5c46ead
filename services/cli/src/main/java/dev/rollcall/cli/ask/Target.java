package dev.rollcall.cli.ask;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The agent or gateway to which a command connects. {@code toString} is how messages name it. */
public sealed interface Target {
  /** This node's agent. */
  record Agent(Path socket) implements Target {
    private static final Path USERS = Path.of("/run/rollcall/agent.sock");
    private static final Path ROOT = Path.of("/run/rollcall/root.sock");

    /** At root's own socket, or where that cannot be used, at the one for all users. */
    static Agent ofThisUser() {
      return new Agent(Files.isWritable(ROOT) ? ROOT : USERS);
    }

    @Override
    public String toString() {
      return "agent at " + socket;
    }
  }

  /**
   * A gateway of the cluster.
   *
   * @param credentials absent: plain text, which only a gateway on loopback accepts
   */
  record Gateway(String host, int port, Optional<Credentials> credentials) implements Target {
    /**
     * Reads {@code host:port}; an IPv6 address goes in brackets.
     *
     * @throws IllegalArgumentException naming the text, if it is not that
     */
    static Gateway parse(String text, Optional<Credentials> credentials) {
      int colon = text.lastIndexOf(':');
      String host = colon < 0 ? "" : text.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      String bare = bracketed ? host.substring(1, host.length() - 1) : host;
      String port = text.substring(colon + 1);
      if (bare.isEmpty() || (bare.contains(":") && !bracketed) || !port.matches("[0-9]{1,5}")) {
        throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
      }
      int number = Integer.parseInt(port);
      if (number < 1 || number > 0xffff) {
        throw new IllegalArgumentException(
            "'" + text + "': port " + port + " is not within 1 to 65535");
      }
      return new Gateway(bare, number, credentials);
    }

    @Override
    public String toString() {
      return "gateway " + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** How we prove to a gateway who we are, and it to us: by the PEM file {@code ca}. */
  sealed interface Credentials {
    /** By a certificate of our own, as PEM files. */
    record Certified(Path ca, Path certificate, Path key) implements Credentials {}

    /** By a token that a gateway gave. */
    record Token(Path ca, Path file) implements Credentials {}

    /** By the munged of this machine. */
    record Munged(Path ca, Path socket) implements Credentials {}
  }
}
