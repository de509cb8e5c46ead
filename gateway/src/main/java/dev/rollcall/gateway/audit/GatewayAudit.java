package dev.rollcall.gateway.audit;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.AddressText;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.wire.audit.AuditEvent;
import dev.rollcall.wire.audit.AuditLine;
import dev.rollcall.wire.audit.AuditLog;
import dev.rollcall.wire.audit.CallOutcome;
import dev.rollcall.wire.lines.LineMeters;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes audit lines: refused calls, requests of administrators and users, and disputed addresses.
 * Thread-safe; nobody waits.
 */
public final class GatewayAudit implements AutoCloseable {
  private static final String CONNECT = RollServiceGrpc.getConnectMethod().getFullMethodName();

  private final AuditLog log;

  public GatewayAudit(Path file, AuditLog.Writer writer, MeterRegistry registry) {
    log = new AuditLog(file, writer, LineMeters.of(registry, "rollcall.gateway.audit"));
  }

  /** A call of a peer that is known is over. */
  void over(Identity who, CallOutcome outcome) {
    boolean told = outcome.method().equals(CONNECT) && mayConnect(who);
    if (told) {
      return;
    }
    AuditLine line = about(who, outcome.line());
    switch (who) {
      case Identity.Administrator _ when !outcome.refused() -> log.write(line);
      case Identity.Person _ -> log.writeSparingly(who.toString(), line);
      default -> {
        if (outcome.refused()) {
          log.writeSparingly(whom(who), line);
        }
      }
    }
  }

  /** {@link #connectRefused} writes the refusals of these clients' streams. */
  private static boolean mayConnect(Identity who) {
    return who instanceof Identity.Node || who instanceof Identity.Embedded;
  }

  /**
   * A peer that was not recognised was refused.
   *
   * @param name by which it can be told from others, as its certificate or address has it
   */
  void unrecognised(String name, CallOutcome outcome) {
    log.writeSparingly(
        "unrecognised", outcome.line().put("role", "unrecognised").putUnlessEmpty("name", name));
  }

  /**
   * A node may not connect.
   *
   * @param node that it says it is
   */
  public void connectRefused(Identity who, String node, Status status) {
    String why = status.getDescription();
    log.writeSparingly(
        whom(who),
        about(who, AuditLine.of(AuditEvent.CONNECT))
            .put("node", node)
            .put("status", status.getCode().name())
            .putUnlessEmpty("detail", why == null ? "" : why));
  }

  /** A client asked about an address that several nodes claim, so it belongs to none of them. */
  public void disputed(InetAddress address, Set<NodeName> nodes) {
    String text = AddressText.of(address);
    String claiming = nodes.stream().map(NodeName::text).sorted().collect(Collectors.joining(" "));
    log.writeSparingly(text, address(text, claiming, "disputed"));
  }

  /**
   * A node says that addresses are its own which its certificate does not have. It is one line of
   * the node's, however many there are: else they would use up what all clients share.
   *
   * @param first of them
   * @param detail their number, and more of them
   */
  public void ignored(Identity who, String node, String first, String detail) {
    log.writeSparingly(whom(who), address(first, node, "ignored").put("detail", detail));
  }

  private static AuditLine address(String address, String nodes, String outcome) {
    return AuditLine.of(AuditEvent.ADDRESS)
        .put("address", address)
        .put("nodes", nodes)
        .put("outcome", outcome);
  }

  private static AuditLine about(Identity who, AuditLine line) {
    return switch (who) {
      case Identity.Node(NodeName name, _, _) -> line.put("role", "node").put("name", name.text());
      case Identity.Gateway(String name) -> line.put("role", "gateway").put("name", name);
      case Identity.Service(String name, _) -> line.put("role", "service").put("name", name);
      case Identity.Administrator(String name) ->
          line.put("role", "administrator").put("name", name);
      case Identity.Person(int uid) ->
          line.put("role", "person").put("uid", Integer.toUnsignedLong(uid));
      case Identity.Embedded(String address) -> line.put("role", "loopback").put("name", address);
      case Identity.Stranger(String address, _) ->
          line.put("role", "stranger").put("name", address);
    };
  }

  /** Names the client whose allowance a line uses, without its port. */
  private static String whom(Identity who) {
    return switch (who) {
      case Identity.Embedded _, Identity.Stranger _ -> who.getClass().getSimpleName();
      default -> who.toString();
    };
  }

  /** Every {@link AuditLog#TELL_EVERY}. */
  public void tellLeftOut() {
    log.tellLeftOut();
  }

  /** Writes what is waiting, if it can be written soon. */
  @Override
  public void close() {
    log.close();
  }
}
