@NullMarked
package dev.rollcall.linux.bpf;

import org.jspecify.annotations.NullMarked;
