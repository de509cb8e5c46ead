package dev.rollcall.jobs.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.wire.AllocationWords;
import dev.rollcall.wire.BadWordException;
import java.util.Optional;

/** Whatever allocation the API takes, the journal keeps: a job's line is read as it was written. */
class AllocationJournalFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    JournalLine line;
    try {
      line =
          new JournalLine.Changed(
              new JobId(42), AllocationWords.toModel(Allocation.parseFrom(input), "allocation"));
    } catch (InvalidProtocolBufferException | BadWordException refused) {
      return;
    }
    String written = new String(line.bytes(), US_ASCII).stripTrailing();
    assertEquals(Optional.of(line), JournalLine.parse(written), written);
  }
}
