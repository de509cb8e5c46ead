package dev.rollcall.port;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Sends messages between gateways, and lists the gateways. A gateway's id is its advertised
 * host:port. Messages of one gateway to another arrive in the order in which they were sent.
 * Thread-safe.
 */
public interface GatewayMail extends AutoCloseable {
  /** How a sending ends; exactly one of these, within the deadline. */
  sealed interface Delivery {
    /** The other gateway's listener has returned. */
    record Delivered() implements Delivery {}

    /**
     * It is not known to have arrived; after a missed deadline it may still.
     *
     * @param reason for people: which gateway, and why
     */
    record Undelivered(String reason) implements Delivery {}
  }

  /** Called on threads of the mail. Must not block. */
  interface Listener {
    /** What it throws is the sender's Undelivered. */
    void received(String fromGateway, byte[] message);

    /**
     * The roll may lack statements, or have struck ones: several members ended at once, or two
     * parts of a split grid are one again. Have this gateway's nodes connect again.
     *
     * @param because for people
     */
    void nodesConnectAgain(String because);
  }

  /** This gateway's id. */
  String self();

  /** Every gateway that is up, this one too. */
  Set<String> gateways();

  /**
   * Sends a message; to a gateway that is not up the answer is Undelivered at once. The stage never
   * fails. Sending to oneself works.
   *
   * @param message opaque; not changed by the caller afterwards
   */
  CompletionStage<Delivery> send(String toGateway, byte[] message, Duration deadline);

  /** Called once, before which messages to this gateway are Undelivered. */
  void listen(Listener listener);

  @Override
  void close();
}
