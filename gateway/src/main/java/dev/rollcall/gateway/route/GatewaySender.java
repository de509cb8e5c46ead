package dev.rollcall.gateway.route;

import dev.rollcall.model.NodeName;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.NodeOrder;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** Sends letters to other gateways. */
record GatewaySender(GatewayMail mail, RouteMeters meters) {
  private static final System.Logger LOG = System.getLogger(GatewaySender.class.getName());
  private static final Duration DELIVERY = Duration.ofSeconds(2);

  String self() {
    return mail.self();
  }

  Set<String> gateways() {
    return mail.gateways();
  }

  boolean isSelf(String gateway) {
    return mail.self().equals(gateway);
  }

  static Letter order(NodeName node, ConnectResponse order) {
    return Letter.newBuilder()
        .setOrder(NodeOrder.newBuilder().setNode(node.text()).setOrder(order))
        .build();
  }

  void send(String gateway, Letter letter) {
    send(gateway, letter, _ -> {});
  }

  /**
   * @param undelivered told why, if the letter is not known to have arrived
   */
  void send(String gateway, Letter letter, Consumer<String> undelivered) {
    var _ =
        mail.send(gateway, letter.toByteArray(), DELIVERY)
            .thenAccept(delivery -> {
              if (delivery instanceof GatewayMail.Delivery.Undelivered(String reason)) {
                meters.undelivered.increment();
                LOG.log(Level.DEBUG, "a {0} did not arrive: {1}", letter.getLetterCase(), reason);
                undelivered.accept(reason);
              }
            });
  }

  /** To every other gateway. */
  void sendToOthers(Letter letter) {
    mail.gateways().stream().filter(to -> !isSelf(to)).forEach(to -> send(to, letter));
  }
}
