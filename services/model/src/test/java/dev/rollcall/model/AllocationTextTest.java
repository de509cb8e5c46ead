package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Rlimit;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts of limits, as people write them. */
class AllocationTextTest {
  private static void refused(Function<String, ?> parse, String text) {
    var refused = assertThrows(IllegalArgumentException.class, () -> parse.apply(text));
    String number = text.replaceAll(".*?(-?[0-9]+).*", "$1");
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains(text) || said.contains(number), said);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertEquals(new CpuMax(150_000, 50_000), CpuMax.parse("150000/50000"));
    assertEquals(new CpuMax(150_000, CpuMax.USUAL_PERIOD), CpuMax.parse("150000"));
    assertEquals("150000/100000", CpuMax.parse("150000").toString());
    IoMax io = IoMax.parse("259:3:wiops=7,rbps=1048576");
    assertEquals(OptionalLong.of(7), io.writeOperations());
    assertEquals("259:3:rbps=1048576,wiops=7", io.toString());
    assertEquals(io, IoMax.parse(io.toString()));
    assertEquals(new Rlimit(Rlimit.Resource.NOFILE, 1024, 4096), Rlimit.parse("nofile=1024:4096"));
    assertEquals(new Rlimit(Rlimit.Resource.CORE, 0, 0), Rlimit.parse("core=0"));
    assertEquals("memlock=unlimited:unlimited", Rlimit.parse("memlock=unlimited").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0", "-1", "1000/", "1000/1", "999", "1000/1000001", "1 2"})
  void aQuotaThatCannotBeIsRefusedByItsText(String text) {
    refused(CpuMax::parse, text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8:0",
        "8:0:",
        "8:0:rbps",
        "8:0:rbps=0",
        "8:0:rbps=-1",
        "8:0:rbps=x",
        "x:0:rbps=1",
        "8:0:bytes=1",
        "8:0:rbps=1,rbps=2",
        "8:0:rbps=1,"
      })
  void aBoundOfADeviceThatCannotBeIsRefusedByItsText(String text) {
    refused(IoMax::parse, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nofile", "nofile=", "nofile=-1", "nofile=2:1", "1", "cpu=1:x"})
  void anRlimitThatCannotBeIsRefusedByItsText(String text) {
    refused(Rlimit::parse, text);
  }
}
