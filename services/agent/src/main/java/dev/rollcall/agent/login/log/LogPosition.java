package dev.rollcall.agent.login.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.agent.login.file.LoginDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Stores the position up to which logs were read: every record before it has its line in the audit
 * file. A line for each log: its inode and the offset, in decimal.
 *
 * @param offsets by inode
 */
record LogPosition(Map<Long, Long> offsets) {
  static final LogPosition NONE = new LogPosition(Map.of());

  LogPosition {
    offsets = Map.copyOf(offsets);
  }

  /** Reads the position that an agent left; other lines are ignored. */
  static LogPosition in(LoginDirectory directory) throws IOException {
    var offsets = new HashMap<Long, Long>();
    try {
      for (String line :
          Files.readString(directory.path(LoginDirectory.POSITION), US_ASCII).split("\n", -1)) {
        if (line.matches("[0-9]{1,18} [0-9]{1,18}")) {
          String[] words = line.split(" ", 2);
          offsets.put(Long.parseLong(words[0]), Long.parseLong(words[1]));
        }
      }
    } catch (NoSuchFileException none) {
      return NONE;
    }
    return new LogPosition(offsets);
  }

  void write(LoginDirectory directory) throws IOException {
    String text =
        offsets.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue() + "\n")
            .sorted()
            .collect(Collectors.joining());
    directory.write(LoginDirectory.POSITION, text.getBytes(US_ASCII));
  }

  /** The position in a file of this size; 0 if the file became smaller. */
  long of(long inode, long size) {
    long offset = offsets.getOrDefault(inode, 0L);
    return offset <= size ? offset : 0;
  }
}
