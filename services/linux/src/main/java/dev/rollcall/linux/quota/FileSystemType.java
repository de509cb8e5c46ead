package dev.rollcall.linux.quota;

import dev.rollcall.linux.mount.FileSystemStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** File systems by their numbers in linux/magic.h, or in their own sources. */
enum FileSystemType {
  BTRFS(0x9123683EL),
  EXT4(0xEF53L),
  XFS(0x58465342L),
  TMPFS(0x01021994L),
  NFS(0x6969L),
  OVERLAY(0x794C7630L),
  FUSE(0x65735546L),
  ZFS(0x2FC12FC1L),
  F2FS(0xF2F52010L),
  BCACHEFS(0xCA451A4EL),
  CEPH(0x00C36400L),
  LUSTRE(0x0BD00BD0L),
  BEEGFS(0x19830326L),
  GPFS(0x47504653L);

  private final long magic;

  FileSystemType(long magic) {
    this.magic = magic;
  }

  /** Empty if it is none of these. */
  static Optional<FileSystemType> of(Path path) throws IOException {
    long found = FileSystemStatus.typeOf(path);
    return Arrays.stream(values()).filter(type -> type.magic == found).findFirst();
  }

  /** By its name in mount(8), or {@code 0x...} of one without a name here. */
  static String nameAt(Path path) throws IOException {
    return of(path)
        .map(type -> type.name().toLowerCase(Locale.ROOT))
        .orElse("0x" + Long.toHexString(FileSystemStatus.typeOf(path)));
  }
}
