package dev.rollcall.linux.mount;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.mount.NamespaceThread.Work;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Keeps mount namespaces without a process, by a descriptor or a file that is bound to one
 * (namespaces(7)).
 */
public final class MountNamespace {
  private static final long NSFS_MAGIC = 0x6e736673; // linux/magic.h
  private static final Path OWN = Path.of("/proc/thread-self/ns/mnt");

  private MountNamespace() {}

  /**
   * A copy of the calling process's mounts, on a thread that ends when this returns.
   *
   * @param inside is done in it, before anybody else can see it; it may start no thread and no
   *     process
   */
  public static Descriptor create(Work<?> inside) throws IOException {
    return NamespaceThread.alone(
        NamespaceType.MOUNT,
        () -> {
          unshare();
          inside.run();
          return Descriptor.open(OWN);
        });
  }

  /**
   * The kernel pins a namespace only where it is newer than the pinning one, and since Linux 6.18
   * judges that by numbers of which each CPU has ranges of its own: what is made on another CPU may
   * count as older. On the CPU that made the older one it never does, so all are tried. In the
   * machine's first namespace every new one is newer.
   */
  private static void unshare() throws IOException {
    OptionalLong before = NamespaceNumber.own();
    Syscall.UNSHARE.check("CLONE_NEWNS", Syscall.UNSHARE.call(NamespaceType.MOUNT.flag()));
    int cpus = NamespaceNumber.cpus();
    for (int cpu = 0; cpu < cpus && isOlder(before); cpu++) {
      NamespaceNumber.stayOn(cpu);
      Syscall.UNSHARE.check("CLONE_NEWNS", Syscall.UNSHARE.call(NamespaceType.MOUNT.flag()));
    }
  }

  private static boolean isOlder(OptionalLong before) throws IOException {
    OptionalLong now = NamespaceNumber.own();
    return before.isPresent() && now.isPresent() && now.getAsLong() < before.getAsLong();
  }

  /**
   * Keeps a namespace by a file, which has to exist. The kernel refuses with EINVAL where a
   * namespace would keep itself: the file must be in an older one.
   */
  public static void pin(Descriptor namespace, Path file) throws IOException {
    Mount.bind(namespace.own(), file);
  }

  /** Whether the file keeps a namespace, of any kind. */
  public static boolean isPinned(Path file) throws IOException {
    return Files.exists(file) && FileSystemStatus.typeOf(file) == NSFS_MAGIC;
  }
}
