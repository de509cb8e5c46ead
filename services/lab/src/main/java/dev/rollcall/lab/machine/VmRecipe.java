package dev.rollcall.lab.machine;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a machine's image.
 *
 * @param processor the kind of machine
 * @param release the Debian release of its root; on amd64 the kernel is of this machine's release
 * @param kernel a Debian package: a kernel, or one that depends on the newest of a line
 * @param jdk the JDK that is copied in, as {@code /usr/lib/jvm/jdk-25}; not on arm64
 * @param slurm the Debian release whose Slurm is in a root of its own, {@code /srv/slurm}; empty:
 *     Slurm is among the packages
 * @param packages the Debian packages in it
 */
public record VmRecipe(
    Processor processor,
    String release,
    String kernel,
    Path jdk,
    Optional<String> slurm,
    List<String> packages) {
  /** Debian 12's own kernel for emulated machines. */
  public static final String DEBIAN_KERNEL = "linux-image-cloud-amd64";

  /** Debian 12, with Slurm 22.05. */
  public static final String BOOKWORM = "bookworm";

  /** Debian 13, with Slurm 24.11. */
  public static final String TRIXIE = "trixie";

  /** Debian's unstable release, with the newest Slurm. */
  public static final String SID = "sid";

  private static final Map<String, String> KERNELS =
      Map.of("6.1", DEBIAN_KERNEL, "6.12", "linux-image-6.12-cloud-amd64");

  private static final Map<String, String> SLURMS =
      Map.of("22.05", BOOKWORM, "24.11", TRIXIE, "26.05", SID);

  private static final List<String> SLURM = List.of("slurmctld", "slurmd", "slurm-client");

  private static final List<String> SELINUX =
      List.of(
          "selinux-policy-default",
          "selinux-policy-dev",
          "policycoreutils",
          "selinux-utils",
          "semodule-utils",
          "checkpolicy",
          "make");

  private static final List<String> NODE =
      List.of(
          "systemd",
          "systemd-sysv",
          "systemd-container",
          "dbus",
          "dbus-user-session",
          "udev",
          "libpam-systemd",
          "openssh-server",
          "openssh-client",
          "ca-certificates",
          "iproute2",
          "iputils-ping",
          "nftables",
          "curl",
          "openssl",
          "perl-base",
          "procps",
          "psmisc",
          "kmod",
          "util-linux",
          "e2fsprogs",
          "xfsprogs",
          "btrfs-progs",
          "cron",
          "at",
          "pamtester",
          "libpam-wrapper",
          "hostname",
          "passwd",
          "munge",
          "slurmctld",
          "slurmd",
          "slurm-client");

  /** podman recommends, but does not need, most of these. */
  private static final List<String> PODMAN =
      List.of("podman", "crun", "netavark", "aardvark-dns", "catatonit", "iptables", "jq");

  private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));

  /** Nothing sets these up but image-arm64.sh, so the list is as short as can be. */
  private static final List<String> NODE_ARM64 =
      List.of(
          "base-files",
          "base-passwd",
          "bash",
          "coreutils",
          "dash",
          "dbus",
          "e2fsprogs",
          "findutils",
          "gawk",
          "grep",
          "hostname",
          "iproute2",
          "kmod",
          "libc-bin",
          "libpam-modules",
          "libpam-runtime",
          "libpam-systemd",
          "login",
          "mount",
          "openjdk-25-jre-headless",
          "openssh-client",
          "openssh-server",
          "passwd",
          "procps",
          "psmisc",
          "sed",
          "systemd",
          "systemd-sysv",
          "tar",
          "udev",
          "util-linux");

  private static final List<String> DATABASE = List.of("slurmdbd", "mariadb-server", "xauth");

  public VmRecipe {
    requireNonNull(slurm, "slurm");
    packages = List.copyOf(packages);
  }

  /** systemd, sshd with PAM, Slurm, and what the test cluster needs; the JDK that runs this. */
  public static VmRecipe debian12() {
    return new VmRecipe(Processor.AMD64, BOOKWORM, DEBIAN_KERNEL, OWN_JAVA, Optional.empty(), NODE);
  }

  /** systemd and sshd with PAM on arm64; the Java is that of Debian 13. */
  public static VmRecipe debian13Arm64() {
    return new VmRecipe(
        Processor.ARM64, TRIXIE, "linux-image-cloud-arm64", OWN_JAVA, Optional.empty(), NODE_ARM64);
  }

  /**
   * With another kernel.
   *
   * @param name "6.1", "6.12", or a Debian package
   */
  public VmRecipe withKernel(String name) {
    return new VmRecipe(processor, release, KERNELS.getOrDefault(name, name), jdk, slurm, packages);
  }

  /**
   * With another Slurm. Its daemons run in a root of the Debian release that has it, because that
   * release's systemd often hangs at its start on an emulated processor.
   *
   * @param version "22.05", which is that of Debian 12, "24.11" or "26.05"
   * @throws VmException if there is no such Slurm
   */
  public VmRecipe withSlurmVersion(String version) {
    String other = SLURMS.get(version);
    if (other == null) {
      throw new VmException("no Slurm " + version + " for a machine: expected 22.05, 24.11, 26.05");
    }
    if (other.equals(release)) {
      return this;
    }
    List<String> others = packages.stream().filter(name -> !SLURM.contains(name)).toList();
    return new VmRecipe(processor, release, kernel, jdk, Optional.of(other), others);
  }

  /** The same packages, of another release. */
  public VmRecipe withRelease(String name) {
    return new VmRecipe(processor, name, kernel, jdk, slurm, packages);
  }

  /** With Debian's SELinux policy, its compiler, and every file of the type that it gives it. */
  public VmRecipe withSelinux() {
    var all = new ArrayList<>(packages);
    all.addAll(SELINUX);
    return new VmRecipe(processor, release, kernel, jdk, slurm, all);
  }

  /** With AppArmor, and the profiles that Debian does not install by itself. */
  public VmRecipe withAppArmor() {
    var all = new ArrayList<>(packages);
    all.addAll(List.of("apparmor", "apparmor-profiles"));
    return new VmRecipe(processor, release, kernel, jdk, slurm, all);
  }

  /** With Slurm's database as well, none of it started. */
  public VmRecipe withSlurm() {
    var all = new ArrayList<>(packages);
    all.addAll(DATABASE);
    return new VmRecipe(processor, release, kernel, jdk, slurm, all);
  }

  /** With podman, whose {@code kube play} runs the manifests of Kubernetes. */
  public VmRecipe withPodman() {
    var all = new ArrayList<>(packages);
    all.addAll(PODMAN);
    return new VmRecipe(processor, release, kernel, jdk, slurm, all);
  }
}
