package dev.rollcall.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTextTest {
  @Test
  void aLineFeedAloneEndsALine() {
    assertEquals(
        List.of("a\rb", "", "c\u2028d\u0085"), KernelText.lines("a\rb\n\nc\u2028d\u0085\n"));
    assertEquals(List.of("no end"), KernelText.lines("no end"));
    assertEquals(List.of(), KernelText.lines(""));
  }

  @Test
  void bytesThatAreNoTextAreReplaced(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("comm");
    Files.write(file, "é \u00ff\n0\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(List.of("\ufffd \ufffd", "0"), KernelText.lines(file));
    Files.writeString(file, "é\n");
    assertEquals(List.of("é"), KernelText.lines(file));
  }
}
