package dev.rollcall.wire;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.proto.v1.DeviceRulesKind;
import dev.rollcall.proto.v1.HugetlbMax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Maps the resources of jobs and steps between proto and model. {@code toModel} takes the name of
 * the field it reads and throws {@link BadWordException} naming the part that is wrong.
 */
public final class AllocationMapper {
  private AllocationMapper() {}

  public static Allocation toModel(dev.rollcall.proto.v1.Allocation from, String field) {
    Limits limits = toModel(from.getLimits(), field + ".limits");
    DeviceRules devices = toModel(from.getDevices(), field + ".devices");
    List<Rlimit> rlimits = new ArrayList<>();
    from.getRlimitsList().forEach(each -> rlimits.add(toModel(each, field + ".rlimits")));
    return CallerMapper.checked(
        field + ".environment",
        () -> new Allocation(limits, devices, from.getEnvironmentMap(), rlimits));
  }

  public static Limits toModel(dev.rollcall.proto.v1.Limits from, String field) {
    Optional<NumberList> cpus =
        from.hasCpus() ? Optional.of(list(from.getCpus(), field + ".cpus")) : Optional.empty();
    Optional<NumberList> mems =
        from.hasMems() ? Optional.of(list(from.getMems(), field + ".mems")) : Optional.empty();
    Optional<CpuMax> cpuMax =
        from.hasCpuMax()
            ? Optional.of(toModel(from.getCpuMax(), field + ".cpu_max"))
            : Optional.empty();
    List<IoMax> io = new ArrayList<>();
    from.getIoMaxList().forEach(each -> io.add(toModel(each, field + ".io_max")));
    Map<String, Long> hugetlb = new LinkedHashMap<>();
    for (HugetlbMax each : from.getHugetlbMaxList()) {
      if (hugetlb.put(each.getPageSize(), each.getBytes()) != null) {
        throw new BadWordException(field + ".hugetlb_max", each.getPageSize() + " is given twice");
      }
    }
    return CallerMapper.checked(
        field,
        () ->
            new Limits(
                cpus,
                mems,
                number(from.hasMemoryMax(), from.getMemoryMax()),
                number(from.hasMemoryHigh(), from.getMemoryHigh()),
                number(from.hasSwapMax(), from.getSwapMax()),
                from.hasCpuWeight() ? OptionalInt.of(from.getCpuWeight()) : OptionalInt.empty(),
                cpuMax,
                number(from.hasPidsMax(), from.getPidsMax()),
                io,
                hugetlb));
  }

  private static NumberList list(String from, String field) {
    return CallerMapper.checked(field, () -> new NumberList(from));
  }

  /** A number beyond 2^63 is negative here, which the model refuses by its value. */
  private static OptionalLong number(boolean there, long value) {
    return there ? OptionalLong.of(value) : OptionalLong.empty();
  }

  private static CpuMax toModel(dev.rollcall.proto.v1.CpuMax from, String field) {
    long period = from.hasPeriodUs() ? from.getPeriodUs() : CpuMax.USUAL_PERIOD;
    return CallerMapper.checked(field, () -> new CpuMax(from.getQuotaUs(), period));
  }

  private static IoMax toModel(dev.rollcall.proto.v1.IoMax from, String field) {
    return CallerMapper.checked(
        field,
        () ->
            new IoMax(
                from.getMajor(),
                from.getMinor(),
                number(from.hasReadBytes(), from.getReadBytes()),
                number(from.hasWriteBytes(), from.getWriteBytes()),
                number(from.hasReadOperations(), from.getReadOperations()),
                number(from.hasWriteOperations(), from.getWriteOperations())));
  }

  public static DeviceRules toModel(dev.rollcall.proto.v1.DeviceRules from, String field) {
    DeviceRules.Kind kind =
        switch (from.getKind()) {
          case DEVICE_RULES_KIND_UNSPECIFIED -> DeviceRules.Kind.OPEN;
          case DEVICE_RULES_KIND_ALLOW_LIST -> DeviceRules.Kind.ALLOW_LIST;
          case DEVICE_RULES_KIND_DENY_LIST -> DeviceRules.Kind.DENY_LIST;
          case UNRECOGNIZED ->
              throw new BadWordException(
                  field + ".kind", from.getKindValue() + " is not a kind of device rules");
        };
    return CallerMapper.checked(
        field + ".rules",
        () -> new DeviceRules(kind, from.getRulesList().stream().map(DeviceRule::parse).toList()));
  }

  public static Rlimit toModel(dev.rollcall.proto.v1.Rlimit from, String field) {
    return CallerMapper.checked(
        field,
        () ->
            new Rlimit(
                Rlimit.Resource.of(from.getResource()),
                from.hasSoft() ? from.getSoft() : Rlimit.UNLIMITED,
                from.hasHard() ? from.getHard() : Rlimit.UNLIMITED));
  }

  public static dev.rollcall.proto.v1.Allocation toProto(Allocation from) {
    var to =
        dev.rollcall.proto.v1.Allocation.newBuilder()
            .setLimits(toProto(from.limits()))
            .setDevices(toProto(from.devices()))
            .putAllEnvironment(from.environment());
    from.rlimits().forEach(each -> to.addRlimits(toProto(each)));
    return to.build();
  }

  public static dev.rollcall.proto.v1.Limits toProto(Limits from) {
    var to = dev.rollcall.proto.v1.Limits.newBuilder();
    from.cpus().ifPresent(list -> to.setCpus(list.text()));
    from.mems().ifPresent(list -> to.setMems(list.text()));
    from.memoryMax().ifPresent(to::setMemoryMax);
    from.memoryHigh().ifPresent(to::setMemoryHigh);
    from.swapMax().ifPresent(to::setSwapMax);
    from.cpuWeight().ifPresent(to::setCpuWeight);
    from.cpuMax()
        .ifPresent(max ->
            to.getCpuMaxBuilder().setQuotaUs(max.quotaMicros()).setPeriodUs(max.periodMicros()));
    from.pidsMax().ifPresent(to::setPidsMax);
    from.ioMax().forEach(each -> to.addIoMax(toProto(each)));
    new TreeMap<>(from.hugetlbMax())
        .forEach((size, bytes) ->
            to.addHugetlbMax(HugetlbMax.newBuilder().setPageSize(size).setBytes(bytes)));
    return to.build();
  }

  private static dev.rollcall.proto.v1.IoMax toProto(IoMax from) {
    var to = dev.rollcall.proto.v1.IoMax.newBuilder().setMajor(from.major()).setMinor(from.minor());
    from.readBytes().ifPresent(to::setReadBytes);
    from.writeBytes().ifPresent(to::setWriteBytes);
    from.readOperations().ifPresent(to::setReadOperations);
    from.writeOperations().ifPresent(to::setWriteOperations);
    return to.build();
  }

  public static dev.rollcall.proto.v1.DeviceRules toProto(DeviceRules from) {
    var to =
        dev.rollcall.proto.v1.DeviceRules.newBuilder()
            .setKind(
                switch (from.kind()) {
                  case OPEN -> DeviceRulesKind.DEVICE_RULES_KIND_UNSPECIFIED;
                  case ALLOW_LIST -> DeviceRulesKind.DEVICE_RULES_KIND_ALLOW_LIST;
                  case DENY_LIST -> DeviceRulesKind.DEVICE_RULES_KIND_DENY_LIST;
                });
    from.rules().forEach(rule -> to.addRules(rule.toString()));
    return to.build();
  }

  public static dev.rollcall.proto.v1.Rlimit toProto(Rlimit from) {
    var to = dev.rollcall.proto.v1.Rlimit.newBuilder().setResource(from.resource().word());
    if (from.soft() != Rlimit.UNLIMITED) {
      to.setSoft(from.soft());
    }
    if (from.hard() != Rlimit.UNLIMITED) {
      to.setHard(from.hard());
    }
    return to.build();
  }
}
