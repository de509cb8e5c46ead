package dev.rollcall.linux.cgroup;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** Process ids, 4 bytes each: a user can fork a million, and an agent's heap has 48 MiB. */
final class PidList extends AbstractList<Integer> implements RandomAccess {
  private static final int DECIMAL = 10;

  private final int[] pids;

  private PidList(int[] pids) {
    this.pids = pids;
  }

  /**
   * Reads a {@code cgroup.procs}: a decimal number in each line.
   *
   * @param most later lines are left out
   */
  static PidList parse(byte[] lines, int most) {
    int[] pids = new int[count(lines, most)];
    int at = 0;
    for (int i = 0; i < pids.length; i++) {
      for (; at < lines.length && lines[at] != '\n'; at++) {
        pids[i] = pids[i] * DECIMAL + lines[at] - '0';
      }
      at++;
    }
    return new PidList(pids);
  }

  private static int count(byte[] lines, int most) {
    int count = 0;
    for (int i = 0; i < lines.length && count < most; i++) {
      if (lines[i] == '\n' || i == lines.length - 1) {
        count++;
      }
    }
    return count;
  }

  static PidList concat(List<PidList> lists) {
    int[] all = new int[lists.stream().mapToInt(PidList::size).sum()];
    int end = 0;
    for (PidList each : lists) {
      System.arraycopy(each.pids, 0, all, end, each.pids.length);
      end += each.pids.length;
    }
    return new PidList(all);
  }

  @Override
  public Integer get(int index) {
    return pids[index];
  }

  @Override
  public int size() {
    return pids.length;
  }

  @Override
  public boolean contains(Object pid) {
    return pid instanceof Integer wanted && Arrays.stream(pids).anyMatch(each -> each == wanted);
  }
}
