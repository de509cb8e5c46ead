package dev.rollcall.roll;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.rollcall.model.Caller;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.util.Optional;

/**
 * The value of a call in the Hazelcast map; its connection is the key.
 *
 * @param entered milliseconds of the grid's clock
 * @param keepMillis how long it is answered
 */
record CallValue(NodeEpoch epoch, long registration, long entered, int keepMillis, Caller caller)
    implements Statement {
  /** Job 0 stands for a caller that is in no job. */
  static final Serializer<CallValue> SERIALIZER =
      new Serializer<>("rollcall.call", CallValue.class, CallValue::write, CallValue::read);

  @Override
  public String node() {
    return epoch.node().text();
  }

  /** By the gateways' clock: the node's may be stepped. */
  @Override
  public long rank() {
    return entered;
  }

  /** Whether it is still answered. One that is of the future was entered by another clock. */
  boolean isFresh(long now) {
    return now - entered < keepMillis && entered - now < keepMillis;
  }

  private static void write(CompactWriter out, CallValue value) {
    Caller caller = value.caller();
    NodeFields.writeEpoch(out, value.epoch());
    out.writeInt64("registration", value.registration());
    out.writeInt64("entered", value.entered());
    out.writeInt32("keepMillis", value.keepMillis());
    out.writeString("cluster", caller.cluster());
    out.writeInt64("job", caller.membership().jobStep().map(s -> s.job().number()).orElse(0L));
    out.writeString("step", caller.membership().jobStep().map(s -> s.step().text()).orElse(""));
    out.writeInt32("uid", caller.uid());
    out.writeInt32("pid", caller.process().pid());
    out.writeInt64("startTime", caller.process().startTime());
    out.writeInt64("at", Times.nanos(caller.at()));
    out.writeInt64("chosen", caller.chosen().map(JobId::number).orElse(0L));
  }

  private static CallValue read(CompactReader in) {
    NodeEpoch epoch = NodeFields.readEpoch(in);
    var caller =
        new Caller(
            NodeFields.string(in, "cluster"),
            epoch.node(),
            membership(in.readInt64("job"), NodeFields.string(in, "step")),
            in.readInt32("uid"),
            new ProcessRef(in.readInt32("pid"), in.readInt64("startTime")),
            Times.instant(in.readInt64("at")),
            Optional.of(in.readInt64("chosen")).filter(job -> job != 0).map(JobId::new));
    return new CallValue(
        epoch,
        in.readInt64("registration"),
        in.readInt64("entered"),
        in.readInt32("keepMillis"),
        caller);
  }

  private static Membership membership(long job, String step) {
    return job == 0
        ? new Membership.NoJob()
        : new Membership.InJob(new JobStep(new JobId(job), new StepId(step)));
  }
}
