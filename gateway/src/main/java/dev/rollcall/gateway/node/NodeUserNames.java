package dev.rollcall.gateway.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Keeps the names of users as nodes send them with jobs. They are only for people: no permission
 * depends on them, since a node could send any. Thread-safe.
 */
public final class NodeUserNames {
  private static final int MOST = 65_536;

  /** useradd(8) allows 32 characters; directories allow dots, at signs and backslashes, too. */
  private static final Pattern NAME = Pattern.compile("[\\p{Alnum}_][\\p{Alnum}._@\\\\$-]{0,63}");

  private final Map<Integer, String> names =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
          return size() > MOST;
        }
      };

  /** Keeps a name; the latest one counts. Text that is not a name is not kept. */
  synchronized void note(int uid, String name) {
    if (NAME.matcher(name).matches()) {
      names.put(uid, name);
    }
  }

  /** Empty if no node sent one. */
  public synchronized String of(int uid) {
    return names.getOrDefault(uid, "");
  }
}
