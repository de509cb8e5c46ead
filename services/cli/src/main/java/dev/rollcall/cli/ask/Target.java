package dev.rollcall.cli.ask;

import dev.rollcall.settings.HostPort;
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
  record Gateway(HostPort at, Optional<Credentials> credentials) implements Target {
    /**
     * Reads {@code host:port}; an IPv6 address goes in brackets.
     *
     * @throws IllegalArgumentException naming the text, if it is not that
     */
    static Gateway parse(String text, Optional<Credentials> credentials) {
      HostPort at = HostPort.parse(text);
      if (at.port() == 0) {
        throw new IllegalArgumentException("'" + text + "': port 0 is not within 1 to 65535");
      }
      return new Gateway(at, credentials);
    }

    @Override
    public String toString() {
      return "gateway " + at;
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
