package dev.rollcall.agent;

import dev.rollcall.linux.KernelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Finds the names of uids in {@code /etc/passwd} and, for others, in a directory service. Names are
 * only for people.
 */
final class UserNames {
  private final Path passwd;
  private final IntFunction<String> directory;
  private FileTime readAt = FileTime.fromMillis(0);
  private Map<Integer, String> names = Map.of();

  /**
   * @param directory the name of a uid that the file lacks; empty if it has none. Must not block
   */
  UserNames(Path passwd, IntFunction<String> directory) {
    this.passwd = passwd;
    this.directory = directory;
  }

  /** Empty if the uid has no name, or if the directory has not answered yet. */
  String of(int uid) {
    String local = inFile(uid);
    return local.isEmpty() ? directory.apply(uid) : local;
  }

  private synchronized String inFile(int uid) {
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
    for (String line : KernelText.lines(passwd)) {
      String[] fields = line.split(":", -1);
      if (fields.length > 2 && fields[2].matches("[0-9]{1,10}")) {
        read.putIfAbsent((int) Long.parseLong(fields[2]), fields[0]);
      }
    }
    return read;
  }
}
