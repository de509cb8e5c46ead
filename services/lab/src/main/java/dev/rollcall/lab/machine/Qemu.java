package dev.rollcall.lab.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The emulator's command line. Emulated and not by KVM: a host may be a guest itself. One namespace
 * on the NVMe controller, as Linux 6.12 may name two in any order; NVMe and ext4, as Debian's cloud
 * kernels have them built in and so need no initramfs.
 */
record Qemu(VmImage image, VmRun run, Path work) {
  private static final String KERNEL_WORDS =
      "root=/dev/nvme0n1 rootfstype=ext4 rootwait rw panic=-1"
          + " mitigations=off quiet systemd.show_status=0 psi=1 net.ifnames=0";
  private static final int MEBIBYTES = 3072;

  List<String> words() {
    // The emulator goes when this process does, however that ends.
    Processor processor = image.processor();
    var words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", processor.emulator()));
    words.addAll(List.of("-nodefaults", "-display", "none", "-no-reboot", "-snapshot"));
    words.addAll(processor.machine());
    words.addAll(List.of("-m", Integer.toString(MEBIBYTES), "-smp", "2"));
    words.addAll(List.of("-accel", "tcg,thread=multi,tb-size=512"));
    words.addAll(processor.serial("console", "file,path=" + work.resolve("console")));
    words.addAll(processor.serial("out", "stdio,signal=off"));
    words.addAll(processor.serial("control", "file,path=" + work.resolve("control")));
    words.addAll(List.of("-drive", "if=none,id=root,format=raw,file=" + image.disk()));
    words.addAll(List.of("-device", "nvme,serial=root,drive=root"));
    disk(words, "payload", "payload.tar,snapshot=on");
    disk(words, "results", "results.tar,snapshot=off");
    network(words);
    words.addAll(List.of("-kernel", image.vmlinuz().toString()));
    var kernel = List.of(processor.kernelWords(), KERNEL_WORDS, audit() + run.kernelWords());
    words.addAll(List.of("-append", String.join(" ", kernel)));
    return words;
  }

  /**
   * Turns the audit log off, unless the run names it. A later {@code audit=1} does not turn it on
   * again (audit_enable() of Linux 6.1), and SELinux then reports no denial.
   */
  private String audit() {
    return run.kernelWords().contains("audit=") ? "" : "audit=0 ";
  }

  private void disk(List<String> words, String name, String file) {
    words.addAll(
        List.of(
            "-drive", "if=none,id=%s,format=raw,file=%s".formatted(name, work.resolve(file)),
            "-device", "virtio-blk-pci,drive=%1$s,serial=%1$s".formatted(name)));
  }

  /** Only from this machine's loopback to sshd: "restrict" keeps everything else in. */
  private void network(List<String> words) {
    if (run.ssh().isPresent()) {
      words.addAll(
          List.of(
              "-netdev",
              "user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:%d-10.0.2.15:22"
                  .formatted(run.ssh().getAsInt()),
              "-device",
              "virtio-net-pci,netdev=net,romfile="));
    }
  }
}
