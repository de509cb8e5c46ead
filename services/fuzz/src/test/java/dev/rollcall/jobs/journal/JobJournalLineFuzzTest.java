package dev.rollcall.jobs.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Lines of the journal: each input as it is, and once more with the checksum that it should have,
 * since fuzzing does not find one. What is read is written and read again: the same.
 */
class JobJournalLineFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    String text = new String(input, ISO_8859_1);
    JobJournalLine.parse(text);
    var crc = new CRC32C();
    crc.update(text.getBytes(UTF_8));
    String line = HexFormat.of().toHexDigits((int) crc.getValue()) + " " + text;
    JobJournalLine.parse(line).ifPresent(JobJournalLineFuzzTest::readsAgain);
    var state = new JournalState();
    JobJournalLine.parse(line).ifPresent(state::apply);
    state.lines().forEach(JobJournalLineFuzzTest::readsAgain);
  }

  private static void readsAgain(JobJournalLine line) {
    String written = new String(line.bytes(), ISO_8859_1);
    assertEquals(written.length() - 1, written.indexOf('\n'), written);
    assertEquals(
        Optional.of(line),
        JobJournalLine.parse(written.substring(0, written.length() - 1)),
        written);
  }
}
