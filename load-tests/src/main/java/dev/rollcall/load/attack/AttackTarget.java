package dev.rollcall.load.attack;

import java.io.IOException;
import java.util.Optional;

/** A process of the distribution that is attacked, with its shipped flags. */
interface AttackTarget extends AutoCloseable {
  long pid();

  boolean isAlive();

  /**
   * Connects as an attacker, within seconds.
   *
   * @param protocol the first word of {@link Verb#OPEN}
   * @param client the second
   * @param number of the connection, which chooses its source address among {@code addresses}
   */
  Wire connect(String protocol, String client, int number, int addresses) throws IOException;

  /**
   * The header field that proves the user, for attackers without a certificate.
   *
   * @param number chooses the user
   */
  Optional<String> authorization(String client, int number);

  /** Asks what an honest client asks, on a new connection; returns when it is answered. */
  void ask() throws IOException;

  String endOfLog();

  @Override
  void close();
}
