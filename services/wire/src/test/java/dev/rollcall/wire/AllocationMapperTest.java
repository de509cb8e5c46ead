package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AllocationMapperTest {
  private static final Allocation ALL =
      new Allocation(
          new Limits(
              Optional.of(new NumberList("0-3,8")),
              Optional.of(new NumberList("0")),
              OptionalLong.of(4L << 30),
              OptionalLong.of(Limits.UNLIMITED),
              OptionalLong.of(0),
              OptionalInt.of(50),
              Optional.of(new CpuMax(150_000, 50_000)),
              OptionalLong.of(512),
              List.of(IoMax.parse("8:0:rbps=1048576,wiops=100")),
              Map.of("2MB", 0L)),
          new DeviceRules(DeviceRules.Kind.DENY_LIST, List.of(DeviceRule.parse("c 195:* rw"))),
          Map.of("A", "b"),
          List.of(Rlimit.parse("nofile=1024:unlimited")));

  @Test
  void anAllocationComesBackAsItWas() {
    assertEquals(ALL, AllocationMapper.toModel(AllocationMapper.toProto(ALL), "allocation"));
    var nothing = dev.rollcall.proto.v1.Allocation.getDefaultInstance();
    assertEquals(Allocation.NONE, AllocationMapper.toModel(nothing, "allocation"));
    assertEquals(
        Allocation.NONE, AllocationMapper.toModel(AllocationMapper.toProto(Allocation.NONE), "a"));
  }

  private static void refused(
      String message, Consumer<dev.rollcall.proto.v1.Allocation.Builder> wrong) {
    var allocation = dev.rollcall.proto.v1.Allocation.newBuilder();
    wrong.accept(allocation);
    var refused =
        assertThrows(
            BadWordException.class, () -> AllocationMapper.toModel(allocation.build(), "given"));
    assertEquals(message, refused.getMessage());
  }

  @Test
  void whatCannotBeIsNamedWithItsFieldAndValue() {
    refused(
        "given.limits.cpus: '3-1' is not a list of numbers such as 0-3,8",
        it -> it.getLimitsBuilder().setCpus("3-1"));
    refused("given.limits: memory.max 0 is below 1", it -> it.getLimitsBuilder().setMemoryMax(0));
    refused("given.limits: pids.max -1 is below 1", it -> it.getLimitsBuilder().setPidsMax(-1));
    refused(
        "given.limits: cpu.weight 10001 is not within 1 to 10000",
        it -> it.getLimitsBuilder().setCpuWeight(10_001));
    refused(
        "given.limits.cpu_max: cpu quota 5 is below 1000 us",
        it -> it.getLimitsBuilder().getCpuMaxBuilder().setQuotaUs(5));
    refused(
        "given.limits.io_max: device 8:0 without a bound",
        it -> it.getLimitsBuilder().addIoMaxBuilder().setMajor(8));
    refused(
        "given.limits: '2' is not a page size such as 2MB",
        it -> it.getLimitsBuilder().addHugetlbMax(HugetlbMax.newBuilder().setPageSize("2")));
    refused(
        "given.devices.rules: 'c 1' is not a rule such as 'c 195:* rw'",
        it ->
            it.getDevicesBuilder()
                .setKind(DeviceRulesKind.DEVICE_RULES_KIND_ALLOW_LIST)
                .addRules("c 1"));
    refused(
        "given.devices.kind: 9 is not a kind of device rules",
        it -> it.getDevicesBuilder().setKindValue(9));
    refused(
        "given.rlimits: 'files' is not a resource limit",
        it -> it.addRlimitsBuilder().setResource("files"));
    refused("given.environment: '1A' is not a variable's name", it -> it.putEnvironment("1A", ""));
  }
}
