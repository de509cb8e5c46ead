package dev.rollcall.jobs.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.wire.AllocationMapper;
import dev.rollcall.wire.BadWordException;
import java.util.Optional;

/** Whatever allocation the API takes, the journal keeps: a job's line is read as it was written. */
class AllocationJournalFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    JobJournalLine line;
    try {
      line =
          new JobJournalLine.Allocated(
              new JobId(42),
              Optional.empty(),
              AllocationMapper.toModel(Allocation.parseFrom(input), "allocation"));
    } catch (InvalidProtocolBufferException | BadWordException refused) {
      return;
    }
    String written = new String(line.bytes(), US_ASCII).stripTrailing();
    assertEquals(Optional.of(line), JobJournalLine.parse(written), written);
  }
}
