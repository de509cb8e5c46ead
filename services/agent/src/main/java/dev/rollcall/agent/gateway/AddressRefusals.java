package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.NodeMapper;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reports which of this node's addresses the gateway does not accept. */
final class AddressRefusals {
  private static final System.Logger LOG = System.getLogger(AddressRefusals.class.getName());

  private final Bus bus;
  private final GatewayConnectionMeters meters;
  private RefusedAddresses last = RefusedAddresses.NONE;

  AddressRefusals(Bus bus, GatewayConnectionMeters meters) {
    this.bus = bus;
    this.meters = meters;
  }

  /** Takes what a gateway sent; what is not valid changes nothing. */
  void take(dev.rollcall.proto.roll.v1.RefusedAddresses sent, GatewayTarget by) {
    try {
      become(NodeMapper.toModel(sent));
    } catch (BadWordException e) {
      meters.badOrders.increment();
      LOG.log(WARNING, "gateway {0} sent an invalid list: {1}", by.name(), e.getMessage());
    }
  }

  /** The first in order that the gateway accepts, if it named all others. */
  Optional<InetAddress> firstAccepted(Set<InetAddress> all) {
    Predicate<InetAddress> accepted =
        address -> last.shown().stream().noneMatch(each -> each.address().equals(address));
    return all.stream()
        .filter(accepted.and(_ -> last.more() == 0))
        .min(Comparator.comparing(InetAddress::getHostAddress));
  }

  private void become(RefusedAddresses now) {
    if (now.equals(last)) {
      return;
    }
    last = now;
    meters.refusedAddresses.set(now.count());
    boolean well = now.count() == 0;
    String detail = well ? "each address of this node is accepted" : "of this node, " + now;
    LOG.log(well ? INFO : WARNING, detail);
    bus.tell(Topics.HEALTH_CHANGED, new StageHealth("addresses", false, well, detail));
  }
}
