package dev.rollcall.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Names of uids, as {@code /etc/passwd} has them. Directory services are not asked: a name is for
 * people alone, and asking may block.
 */
final class UserNames {
  private final Path passwd;
  private FileTime readAt = FileTime.fromMillis(0);
  private Map<Integer, String> names = Map.of();

  UserNames(Path passwd) {
    this.passwd = passwd;
  }

  /** Empty if the uid has no name there. */
  synchronized String of(int uid) {
    try {
      FileTime changedAt = Files.getLastModifiedTime(passwd);
      if (!changedAt.equals(readAt)) {
        names = read();
        readAt = changedAt;
      }
    } catch (IOException unreadable) {
      return "";
    }
    return names.getOrDefault(uid, "");
  }

  private Map<Integer, String> read() throws IOException {
    Map<Integer, String> read = new HashMap<>();
    for (String line : Files.readAllLines(passwd)) {
      String[] fields = line.split(":", -1);
      if (fields.length > 2 && fields[2].matches("[0-9]{1,10}")) {
        read.putIfAbsent((int) Long.parseLong(fields[2]), fields[0]);
      }
    }
    return read;
  }
}
