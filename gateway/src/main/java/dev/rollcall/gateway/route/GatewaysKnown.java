package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.v1.Gateway;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.PeerMessage;
import dev.rollcall.wire.tls.TlsIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps what each gateway last reported of itself to the others. Thread-safe. */
public final class GatewaysKnown {
  private static final int REPORT_TICKS = 10;
  private static final int MOST_BYTES = 256;

  private final GatewaySender post;
  private final String version;
  private final Optional<TlsIdentity> tls;
  private final Map<String, Gateway> others = new ConcurrentHashMap<>();
  private int ticks;

  /**
   * @param version of this gateway
   * @param tls its identity
   */
  public GatewaysKnown(Router router, String version, Optional<TlsIdentity> tls) {
    this.post = router.post();
    this.version = version;
    this.tls = tls;
  }

  private Gateway self() {
    var self = Gateway.newBuilder().setVersion(version);
    tls.map(TlsIdentity::expires)
        .map(CallerMapper::timestamp)
        .ifPresent(self::setCertificateEndsAt);
    return self.build();
  }

  /** Every second. */
  public void tick() {
    if (ticks++ % REPORT_TICKS == 0) {
      others.keySet().retainAll(post.gateways());
      post.sendToOthers(Letter.newBuilder().setGateway(self()).build());
    }
  }

  /**
   * Takes the report of another gateway.
   *
   * @throws BadWordException naming what cannot be
   */
  void heard(String from, Gateway report) {
    PeerMessage.checkSize(report, "gateway", MOST_BYTES);
    PeerMessage.check(report, "gateway");
    others.put(from, report);
  }

  /** The gateways that are up, by name. */
  public List<Gateway> all() {
    return post.gateways().stream()
        .sorted()
        .map(name ->
            (post.isSelf(name) ? self() : others.getOrDefault(name, Gateway.getDefaultInstance()))
                .toBuilder().setGateway(name).build())
        .toList();
  }
}
