package dev.rollcall.agent.audit;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ServedCall;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.wire.audit.AuditEvent;
import dev.rollcall.wire.audit.AuditLine;
import dev.rollcall.wire.audit.AuditLog;
import dev.rollcall.wire.lines.LineMeters;
import dev.rollcall.wire.pace.SharedTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** Writes audit lines of login decisions, and of calls on {@code agent.sock}. */
public final class AuditVerticle extends VerticleBase {
  private final Bus bus;
  private final SharedTimer timer;
  private final IntFunction<String> userName;
  private final IntUnaryOperator owner;
  private final AuditLog log;

  /**
   * @param userName of a uid, empty if it has none
   * @param owner from a uid to the user for whom it counts
   */
  public AuditVerticle(
      Bus bus,
      SharedTimer timer,
      Path file,
      AuditLog.Writer writer,
      IntFunction<String> userName,
      IntUnaryOperator owner,
      MeterRegistry registry) {
    this.bus = bus;
    this.timer = timer;
    this.userName = userName;
    this.owner = owner;
    this.log = new AuditLog(file, writer, LineMeters.of(registry, "rollcall.audit"));
  }

  @Override
  public Future<?> start() {
    bus.hear(Topics.ADOPTION_RECORDED, this::session);
    bus.hear(Topics.CALL_SERVED, this::call);
    var _ = timer.repeat(AuditLog.TELL_EVERY, log::tellLeftOut);
    return Future.succeededFuture();
  }

  private void session(Adoption adoption) {
    log.write(
        AuditLine.of(AuditEvent.SESSION)
            .putUnlessEmpty("decision_id", adoption.id())
            .put("phase", adoption.phase().word())
            .put("uid", Integer.toUnsignedLong(adoption.uid()))
            .putUnlessEmpty("user", adoption.user())
            .put("service", adoption.service())
            .putUnlessEmpty("rhost", adoption.remoteHost())
            .put("local", adoption.connection().map(it -> it.local()))
            .put("remote", adoption.connection().map(it -> it.remote()))
            .put("decision", adoption.outcome().word())
            .put("reason", adoption.reason().word())
            .put("job", adoption.job().map(step -> step.job().number()))
            .put("step", adoption.job().map(step -> step.step()))
            .putUnlessEmpty("doubt", adoption.doubt())
            .put("would", adoption.would().map(AuditVerticle::would))
            .put("would_job", adoption.wouldJob().map(JobId::number))
            .put("took_ms", adoption.took().toMillis()),
        adoption.decidedAt(),
        () -> bus.tell(Topics.SESSION_AUDITED, adoption.id()));
  }

  private static String would(Decision would) {
    return would instanceof Decision.Adopt ? "adopted" : "denied";
  }

  /**
   * Users can cause refusals at will, so they are limited, for all uids of a user together. Root's
   * calls are not, and neither are changes, whose rate the services limit.
   */
  private void call(ServedCall call) {
    AuditLine line =
        call.outcome()
            .line()
            .put("role", call.uid() == 0 ? "root" : "user")
            .put("name", Optional.of(userName.apply(call.uid())).filter(it -> !it.isEmpty()))
            .put("uid", Integer.toUnsignedLong(call.uid()))
            .put("pid", call.pid());
    if (call.uid() == 0 || call.outcome().mayHaveChanged()) {
      log.write(line);
    } else {
      log.writeSparingly(Integer.toUnsignedString(owner.applyAsInt(call.uid())), line);
    }
  }

  @Override
  public Future<?> stop() {
    return vertx.executeBlocking(Executors.callable(log::close));
  }
}
