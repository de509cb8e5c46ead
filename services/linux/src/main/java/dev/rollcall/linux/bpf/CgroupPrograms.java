package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs of one kind that are attached to a cgroup itself, with those of other owners
 * (BPF_F_ALLOW_MULTI). They stay attached without a process or a pin that holds them, until the
 * cgroup is removed. With each of them all programs of the cgroups above have their say.
 *
 * @param cgroup a directory of the cgroup2 hierarchy
 */
public record CgroupPrograms(Path cgroup, BpfProgram.Type type) {
  private static final int ALLOW_MULTI = 2;
  private static final int REPLACE = 4;

  /** The kernel lets no more than 64 be attached to one cgroup (BPF_CGROUP_MAX_PROGS). */
  private static final int MOST = 64;

  /**
   * Attaches one more.
   *
   * @throws ErrnoException EPERM if a program that allows no others is attached here or above,
   *     EBADF if this is no cgroup2 directory
   */
  public void add(BpfProgram program) throws ErrnoException {
    change(BpfCommand.PROG_ATTACH, program, ALLOW_MULTI, 0);
  }

  /** Puts a program in the place of one that is attached, in one step. Linux 5.6. */
  public void replace(BpfProgram old, BpfProgram program) throws ErrnoException {
    change(BpfCommand.PROG_ATTACH, program, ALLOW_MULTI | REPLACE, old.descriptor());
  }

  public void remove(BpfProgram program) throws ErrnoException {
    change(BpfCommand.PROG_DETACH, program, 0, 0);
  }

  /** {@code union bpf_attr}: 0 cgroup, 4 program, 8 attach type, 12 flags, 16 program replaced. */
  private void change(BpfCommand command, BpfProgram program, int flags, int replaced)
      throws ErrnoException {
    try (Arena arena = Arena.ofConfined();
        Descriptor directory = Descriptor.open(cgroup)) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, directory.number());
      attr.set(JAVA_INT, 4, program.descriptor());
      attr.set(JAVA_INT, 8, type.attachType);
      attr.set(JAVA_INT, 12, flags);
      attr.set(JAVA_INT, 16, replaced);
      command.check((command == BpfCommand.PROG_DETACH ? "from " : "to ") + cgroup, attr);
    }
  }

  /** Returns the programs with this name. The caller closes them. */
  public List<BpfProgram> named(String name) throws ErrnoException {
    List<BpfProgram> found = new ArrayList<>();
    for (int id : ids()) {
      BpfProgram program;
      try {
        program = BpfProgram.withId(type, id);
      } catch (ErrnoException gone) {
        if (gone.is(Errno.ENOENT)) {
          continue;
        }
        found.forEach(BpfProgram::close);
        throw gone;
      }
      if (program.name().equals(name)) {
        found.add(program);
      } else {
        program.close();
      }
    }
    return found;
  }

  /**
   * {@code union bpf_attr}: 0 cgroup, 4 attach type, 8 flags, 16 u32 ids[], 24 count in and out.
   */
  private List<Integer> ids() throws ErrnoException {
    try (Arena arena = Arena.ofConfined();
        Descriptor directory = Descriptor.open(cgroup)) {
      MemorySegment attr = BpfCommand.attr(arena);
      MemorySegment ids = arena.allocate(JAVA_INT, MOST);
      attr.set(JAVA_INT, 0, directory.number());
      attr.set(JAVA_INT, 4, type.attachType);
      attr.set(JAVA_LONG, 16, ids.address());
      attr.set(JAVA_INT, 24, MOST);
      BpfCommand.PROG_QUERY.check("of " + cgroup, attr);
      List<Integer> found = new ArrayList<>();
      for (int index = 0; index < attr.get(JAVA_INT, 24); index++) {
        found.add(ids.getAtIndex(JAVA_INT, index));
      }
      return found;
    }
  }
}
