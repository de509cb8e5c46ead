package dev.rollcall.linux.mount;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.mount.NamespaceThread.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mount namespaces without a process in them: a descriptor, or a file that is bound to one, keeps
 * them (namespaces(7)).
 */
public final class MountNamespace {
  private static final int CLONE_NEWNS = 0x00020000;
  private static final long NSFS_MAGIC = 0x6e736673; // linux/magic.h
  private static final Path OWN = Path.of("/proc/thread-self/ns/mnt");

  private MountNamespace() {}

  /**
   * A copy of the calling process's mounts, on a thread that ends when this returns.
   *
   * @param inside is done in it, before anybody else can see it
   */
  public static Descriptor create(Work<?> inside) throws IOException {
    return NamespaceThread.alone(() -> {
      Syscall.UNSHARE.check("CLONE_NEWNS", Syscall.UNSHARE.call(CLONE_NEWNS));
      inside.run();
      return Descriptor.open(OWN);
    });
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
