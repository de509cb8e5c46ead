@NullMarked
package dev.rollcall.deploy.slurm;

import org.jspecify.annotations.NullMarked;
