package dev.rollcall.wire;

import dev.rollcall.model.NodeName;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.model.usage.Pressure;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.proto.v1.IncidentKind;
import dev.rollcall.proto.v1.UsageKind;

/** Maps usage and incidents of jobs to messages. */
public final class UsageMapper {
  private UsageMapper() {}

  /**
   * Maps an account of a job that runs.
   *
   * @param allotted to the job
   */
  public static dev.rollcall.proto.v1.UsageRecord toProto(
      UsageRecord from, NodeName node, Measures allotted) {
    var to = toProto(from, node).toBuilder();
    if (from.kind() == UsageRecord.Kind.JOB) {
      allotted
          .get(Measure.CPUS)
          .ifPresent(cpus -> to.getUsageBuilder().setAllottedCpus(cpus / 1e3));
      allotted
          .get(Measure.MEMORY_ALLOTTED)
          .ifPresent(memory -> to.getUsageBuilder().setAllottedMemory(memory));
    }
    return to.build();
  }

  public static dev.rollcall.proto.v1.UsageRecord toProto(UsageRecord from, NodeName node) {
    var to =
        dev.rollcall.proto.v1.UsageRecord.newBuilder()
            .setKind(
                switch (from.kind()) {
                  case SESSION -> UsageKind.USAGE_KIND_SESSION;
                  case STEP -> UsageKind.USAGE_KIND_STEP;
                  case JOB -> UsageKind.USAGE_KIND_JOB;
                })
            .setNode(node.text())
            .setJobId(from.job().number())
            .setUid(from.uid())
            .setBeganAt(CallerMapper.timestamp(from.began()))
            .setUsage(toProto(from.usage()));
    from.step().ifPresent(step -> to.setStep(step.text()));
    from.session().ifPresent(to::setSession);
    from.ended().ifPresent(ended -> to.setEndedAt(CallerMapper.timestamp(ended)));
    return to.build();
  }

  private static dev.rollcall.proto.v1.Usage toProto(Usage from) {
    var to = dev.rollcall.proto.v1.Usage.newBuilder();
    from.userTime().map(CallerMapper::duration).ifPresent(to::setUserTime);
    from.systemTime().map(CallerMapper::duration).ifPresent(to::setSystemTime);
    from.memoryNow().ifPresent(to::setMemoryNow);
    from.memoryPeak().ifPresent(to::setMemoryPeak);
    from.readBytes().ifPresent(to::setReadBytes);
    from.writtenBytes().ifPresent(to::setWrittenBytes);
    from.processesNow().ifPresent(to::setProcessesNow);
    from.processesPeak().ifPresent(to::setProcessesPeak);
    from.oomKills().ifPresent(to::setOomKills);
    from.pidsRefused().ifPresent(to::setPidsRefused);
    from.details().anonymous().ifPresent(to::setMemoryAnonymous);
    from.details().shared().ifPresent(to::setMemoryShared);
    from.details().cache().ifPresent(to::setMemoryCache);
    from.details().sampledRequiredPeak().ifPresent(to::setMemoryRequiredSampledPeak);
    from.details().faults().ifPresent(to::setPageFaults);
    from.details().majorFaults().ifPresent(to::setMajorPageFaults);
    from.pressure().ifPresent(pressure -> to.setPressure(toProto(pressure)));
    return to.build();
  }

  private static dev.rollcall.proto.v1.Pressure toProto(Pressure from) {
    return dev.rollcall.proto.v1.Pressure.newBuilder()
        .setCpu(CallerMapper.duration(from.cpu()))
        .setMemory(CallerMapper.duration(from.memory()))
        .setIo(CallerMapper.duration(from.io()))
        .build();
  }

  public static dev.rollcall.proto.v1.JobIncident toProto(Incident from, NodeName node) {
    var to =
        dev.rollcall.proto.v1.JobIncident.newBuilder()
            .setKind(
                switch (from.kind()) {
                  case OOM_KILL -> IncidentKind.INCIDENT_KIND_OOM_KILL;
                  case PIDS_REFUSED -> IncidentKind.INCIDENT_KIND_PIDS_REFUSED;
                  case ESCAPED -> IncidentKind.INCIDENT_KIND_ESCAPED;
                  case DRIFTED -> IncidentKind.INCIDENT_KIND_DRIFTED;
                })
            .setNode(node.text())
            .setJob(CallerMapper.toProto(from.step()))
            .setTimes(from.times())
            .setAt(CallerMapper.timestamp(from.at()))
            .setWhat(from.what());
    from.session().ifPresent(to::setSession);
    return to.build();
  }
}
