package dev.rollcall.agent.series.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files as NVIDIA's driver and the kernel's graphics show them, below another root. */
public final class FakeGpus {
  /** The major that {@link #instance} is of. */
  static final int CAPABILITIES = 237;

  private FakeGpus() {}

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** A GPU, as the driver 570 lists it. */
  public static void nvidia(Path root, String bus, int minor, String uuid) throws IOException {
    write(
        root.resolve("proc/driver/nvidia/gpus/" + bus + "/information"),
        "Model: \t\t NVIDIA A100-SXM4-80GB\nIRQ:   \t\t 271\nGPU UUID: \t "
            + uuid
            + "\nVideo BIOS: \t 92.00.36.00.01\nBus Type: \t PCIe\nDMA Size: \t 47 bits\n"
            + "DMA Mask: \t 0x7fffffffffff\nBus Location: \t "
            + bus
            + "\nDevice Minor: \t "
            + minor
            + "\nGPU Excluded:\t No\n");
  }

  /** A MIG GPU instance of it, and the first compute instance of that. */
  static void instance(Path root, int gpu, int number, int access) throws IOException {
    write(root.resolve("proc/devices"), "Character devices:\n195 nvidia\n237 nvidia-caps\n");
    Path its = root.resolve("proc/driver/nvidia/capabilities/gpu" + gpu + "/mig/gi" + number);
    String rest = "\nDeviceFileMode: 292\nDeviceFileModify: 1\n";
    write(its.resolve("access"), "DeviceFileMinor: " + access + rest);
    write(its.resolve("ci0/access"), "DeviceFileMinor: " + (access + 1) + rest);
  }

  static void render(Path root, int minor) throws IOException {
    write(root.resolve("dev/dri/renderD" + minor), "");
    write(root.resolve("dev/dri/card" + (minor - 128)), "");
  }
}
